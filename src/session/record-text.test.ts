import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../protocol/limits.ts'
import { whole } from './clip.ts'
import { commandRecord, typedRecord } from './record-text.ts'

test('[TR9] a record is the command, its output and one status line', () => {
  expect(commandRecord('ls', whole('a\nb\n'), 'exit 0')).toBe('$ ls\na\nb\n[exit 0]')
  expect(commandRecord('true', whole(''), 'exit 0')).toBe('$ true\n[exit 0]')
})

test('[TR10] a record is at most 2,000 characters, whatever the command, output and status', () =>
  fc.assert(
    fc.property(
      fc.string({ maxLength: 5_000, size: 'max' }),
      fc.string({ maxLength: 5_000, size: 'max' }),
      fc.string({ maxLength: 1_000, size: 'max' }),
      (command, output, status) => {
        const record = commandRecord(command, whole(output), status)
        expect(record.length).toBeLessThanOrEqual(limits.recordChars)
      },
    ),
  ))

test('[TYPED15] what the model reads of a typed command is one line, whatever that holds', () => {
  expect(typedRecord('for i in 1 2; do\n\techo $i\ndone', 'exit 0')).toBe(
    String.raw`[the user typed: $ for i in 1 2; do ⏎ \x09echo $i ⏎ done → exit 0]`,
  )
  expect(typedRecord('', 'exit 1; now in /')).toBe(
    '[the user typed: a command that is not in the history → exit 1; now in /]',
  )
  const any = fc.string({ maxLength: 3_000, size: 'max', unit: 'binary' })
  fc.assert(
    fc.property(any, any, (command, status) => {
      const record = typedRecord(command, status)
      expect(record).toMatch(/^\[the user typed: [^\0-\x1f\x7f-\x9f]*\]$/u)
      expect(record.length).toBeLessThanOrEqual(limits.recordChars)
    }),
  )
})

test('[TR17] a record of a quarter of a megabyte of line ends is made at once', () => {
  const output = `a${'\n'.repeat(250_000)}b`
  expect(commandRecord('yes ""', whole(output), 'exit 0')).toMatch(/^\$ yes ""\na\n+\[… \d+ char/)
})
