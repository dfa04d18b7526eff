import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTime } from '../base/parse-time.ts'
import { commandLine } from './run/quote.ts'

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

test('[CLI2] a time is a number with a unit, or seconds', () => {
  expect(
    ['5m', '90', '1.5h', '250ms', '0', '-1', '5 minutes', '', '99999h'].map(parseTime),
  ).toEqual([300_000, 90_000, 5_400_000, 250, null, null, null, null, null])
})
