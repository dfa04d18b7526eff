import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeMark } from '../../src/holder/link/outbox.ts'
import { HeldMark } from '../../src/protocol/holder/holder.ts'
import { decodeMark } from '../../src/server/terminal/holder/read-mark.ts'

const marks = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  kind: fc.constantFrom(...HeldMark.shape.kind.options),
  level: fc.nat(31),
  // A shell's fields are what its mark holds between the separators, in whatever characters.
  fields: fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(';', ''))),
  offset: fc.maxSafeNat(),
  time: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
})

test('[TERM30] a mark is the same on both sides of the holder’s socket', () => {
  fc.assert(
    fc.property(marks, (mark) => {
      expect(decodeMark(encodeMark(mark))).toEqual(mark)
    }),
  )
})

test('[TERM30] a mark of a kind the server does not know is left out, one without a kind is refused', () => {
  const known = encodeMark({ seq: 1, kind: 'C', level: 0, fields: [], offset: 0, time: 0 })
  const unknown = Buffer.from(known)
  unknown.write('Z', unknown.length - 1)
  expect(decodeMark(unknown)).toBe(null)
  expect(() => decodeMark(known.subarray(0, -1))).toThrow('not one of ours')
})
