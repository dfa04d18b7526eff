import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlainOutput } from './pipe-output.ts'

const pieces = fc.array(
  fc.constantFrom(
    'a',
    'b\r\n',
    '\r',
    '\n',
    '\u001b[31m',
    '\u001b[0m',
    '\u001b]0;t\u0007',
    '\u001b(B',
  ),
)

test('[CLI1] what goes into a pipe has no escape sequences and plain line ends, however it is cut', () =>
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(40)), (parts, cuts) => {
      const text = parts.join('')
      const whole = createPlainOutput()
      const expected = whole.write(text) + whole.end()
      const output = createPlainOutput()
      let got = ''
      let at = 0
      for (const cut of [...cuts.map((c) => c % (text.length + 1)), text.length].sort(
        (a, b) => a - b,
      )) {
        got += output.write(text.slice(at, cut))
        at = cut
      }
      got += output.end()
      expect(got).toBe(expected)
      expect(got).not.toContain('\u001b')
      // The terminal put one return before each line feed; more of them are the program's own.
      const own = text.replaceAll('\r\n', '\n')
      expect(got).toBe(own.replaceAll(/\u001b(\[\d+m|\]0;t\u0007|\(B)/g, ''))
    }),
  ))

test('[CLI1] a million carriage returns go into a pipe as fast as any text', () => {
  const output = createPlainOutput()
  expect(output.write(`${'\r'.repeat(1_000_000)}x\r\r\n`).length).toBe(1_000_003)
})
