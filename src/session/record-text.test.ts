import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../protocol/limits.ts'
import { whole } from './clip.ts'
import { commandRecord } from './record-text.ts'

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
