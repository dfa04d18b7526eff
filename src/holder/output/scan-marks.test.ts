import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNonces, createMarkScanner } from './scan-marks.ts'

const nonce = '0123456789abcdef01234567'
const part = fc.oneof(
  fc.string().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('C', 'D;0;12;sh-1;/tmp', 'P')
    .map((body) => Buffer.from(`\x1b]7133;${nonce};${body}\x07`)),
  fc
    .constantFrom('\x1b', '\x1b]71', `\x1b]7133;${nonce}`, '\x1b]7133;ffff;D;0\x07', '\x07')
    .map((s) => Buffer.from(s)),
)

function scan(pieces: readonly Buffer[]) {
  const seen: string[] = []
  let clean = Buffer.alloc(0)
  const scanner = createMarkScanner(createNonces(nonce), {
    text: (bytes) => {
      clean = Buffer.concat([clean, bytes])
    },
    mark: (kind, fields) => seen.push(`${clean.length}:${kind}:${fields.join('|')}`),
  })
  for (const piece of pieces) scanner.feed(piece)
  scanner.flush()
  return { clean: clean.toString('hex'), seen }
}

test('[TERM30] where a stream is cut changes neither its marks nor its clean bytes', () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(60)), (parts, sizes) => {
      const whole = Buffer.concat(parts)
      const pieces: Buffer[] = []
      let at = 0
      for (const size of sizes) {
        pieces.push(whole.subarray(at, at + size))
        at += size
      }
      pieces.push(whole.subarray(Math.min(at, whole.length)))
      expect(scan(pieces)).toEqual(scan([whole]))
    }),
    { numRuns: 1000 },
  )
})

test('[TERM7] a mark with another nonce passes as text', () => {
  const forged = Buffer.from('a\x1b]7133;ffffffffffffffffffffffff;D;0;1\x07b')
  expect(scan([forged])).toEqual({ clean: forged.toString('hex'), seen: [] })
})

test('a mark without an end is text once it is too long to be one', () => {
  const endless = Buffer.from(`\x1b]7133;${nonce};D${'x'.repeat(9000)}`)
  expect(scan([endless.subarray(0, 5000), endless.subarray(5000)])).toEqual({
    clean: endless.toString('hex'),
    seen: [],
  })
})
