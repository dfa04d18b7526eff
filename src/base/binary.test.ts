import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBinaryMeter, namedBinary, whole } from './text.ts'

function isBinary(bytes: Buffer, at = bytes.length): boolean {
  const meter = createBinaryMeter()
  const text = bytes.toString('utf8')
  meter.feed(text.slice(0, at))
  meter.feed(text.slice(at))
  return meter.isBinary()
}

test('[TERM231] ∀ random bytes are binary, however they arrive', () => {
  fc.assert(
    fc.property(fc.integer({ min: 256, max: 100_000 }), fc.nat(), (size, at) => {
      expect(isBinary(randomBytes(size), at % size)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('[TERM231] ∀ text with colours, movements and a few stray bytes stays text', () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((part) => !/\p{Cc}|\ufffd/u.test(part)),
      fc.constantFrom(
        '\x1b[31mred\x1b[0m',
        '\r\n',
        '\t',
        '\b',
        'progress 10%\r',
        '\x1b]0;title\x07',
        '\0name',
      ),
    ),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(text, fc.uint8Array({ maxLength: 7 }), (parts, stray) => {
      expect(
        isBinary(Buffer.concat([Buffer.from(parts.join(' some words ')), Buffer.from(stray)])),
      ).toBe(false)
    }),
  )
})

test('[TERM231] binary output is named with its size, and text before it is kept', () => {
  expect(namedBinary(whole('\ufffdx\n\ufffd'), 1_048_576).head).toBe(
    'binary output, 1,048,576 bytes\n',
  )
  expect(namedBinary(whole('compiling the program\n\ufffdELF\n'), 5_000).head).toBe(
    'compiling the program\nbinary output, 5,000 bytes\n',
  )
})
