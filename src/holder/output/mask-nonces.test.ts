import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskNonces } from './scan-marks.ts'

const nonces = [Buffer.from('0123456789abcdef01234567'), Buffer.from('fedcba9876543210fedcba98')]
const one = fc.constantFrom(...nonces.map(String))
const text = fc.string({ unit: fc.constantFrom('0', '1', '2', '3', 'f', 'e', 'd', 'c', '\n', 'x') })
/** Parts of one, its beginnings above all. */
const part = fc.tuple(one, fc.nat({ max: 7 })).map(([nonce, length]) => nonce.slice(0, length))

function masked(pieces: readonly string[]): string {
  const mask = maskNonces({ secrets: () => nonces })
  return pieces.map((piece) => mask(Buffer.from(piece)).toString('latin1')).join('')
}

test('[TERM25] a nonce is hidden wherever the stream is cut, and every length stays', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(text, one, part)).map((parts) => parts.join('')),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (whole, sizes) => {
        const pieces: string[] = []
        for (let at = 0; at < whole.length;) {
          const { value: size = 1 } = sizes.next()
          pieces.push(whole.slice(at, at + size))
          at += size
        }
        const shown = masked(pieces)
        expect(shown).toHaveLength(whole.length)
        for (const nonce of nonces) expect(shown).not.toContain(String(nonce).slice(8))
      },
    ),
  )
})

test('[TERM25] what is no nonce is untouched, also where it begins like one', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, part)), (pieces) => {
      const whole = pieces.join('')
      fc.pre(!nonces.some((nonce) => whole.includes(String(nonce).slice(0, 8))))
      expect(masked(pieces)).toBe(whole)
    }),
  )
})
