import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTime } from '../session/parse-time.ts'
import { printable, printableLine } from './printable.ts'
import { commandLine } from './quote.ts'

test('[CLI2] several words reach the shell as they are; one is a command line', () => {
  expect(commandLine(['echo $HOME | wc -c'])).toBe('echo $HOME | wc -c')
  expect(commandLine(['git', 'commit', '-m', "it's done"])).toBe(`git commit -m 'it'\\''s done'`)
  fc.assert(
    fc.property(
      fc.array(
        fc.string().filter((word) => !word.includes('\0')),
        { minLength: 1, maxLength: 5 },
      ),
      (words) => {
        const line = commandLine(['printf', '%s\\0', ...words])
        const out = execFileSync('/bin/sh', ['-c', line]).toString()
        expect(out).toBe(words.map((word) => `${word}\0`).join(''))
      },
    ),
    { numRuns: 30 },
  )
})

test('[CLI3] a time is a number with a unit, or seconds', () => {
  expect(
    ['5m', '90', '1.5h', '250ms', '0', '-1', '5 minutes', '', '99999h'].map(parseTime),
  ).toEqual([300_000, 90_000, 5_400_000, 250, null, null, null, null, null])
})

test('[CLI4] text of others cannot steer a terminal or hide in it', () => {
  expect(printable('a\tb\r\n\u001b[2Jc')).toBe('a\tb\n\\x1b[2Jc')
  expect(printableLine('rm -rf \u202ex\n--no-preserve-root')).toBe(
    'rm -rf \\u202ex⏎--no-preserve-root',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    }),
  )
})
