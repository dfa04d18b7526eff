import { createCipheriv, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveId } from './derive-id.ts'

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The bits that a UUID v4 keeps of sixteen bytes. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

test('[APP6] ∀ the ids of a seed are the blocks of ChaCha20 under it: one tells nothing of another', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(0xffff_ffff), (seed, n) => {
      const key = Buffer.from(seed.replaceAll('-', '').repeat(2), 'hex')
      const counter = Buffer.alloc(16)
      counter.writeUInt32LE(n)
      const block = createCipheriv('chacha20', key, counter).update(Buffer.alloc(16))
      expect(deriveId(seed, n)).toBe(uuidOf(block))
      expect(deriveId(seed, n)).toMatch(v4)
    }),
  )
})

test('[APP6] neighbours from one seed share no half', () => {
  const seed = randomUUID()
  const halves = Array.from({ length: 500 }, (_, n) => deriveId(seed, n)).flatMap((id) => [
    id.slice(0, 18),
    id.slice(-12),
  ])
  expect(new Set([...halves, seed.slice(0, 18), seed.slice(-12)]).size).toBe(1_002)
})
