import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whole } from '../base/text.ts'
import { limits } from '../protocol/limits.ts'
import { initialState } from '../log/state.ts'
import { commandRecord, openAppend, system, typedRecord } from './append.ts'

test('[TR9] a record is the command, its output and one status line', () => {
  expect(commandRecord('ls', whole('a\nb\n'), 'exit 0')).toBe('$ ls\na\nb\n[exit 0]')
  expect(commandRecord('true', whole(''), 'exit 0')).toBe('$ true\n[exit 0]')
})

test('[TR9] a record is at most 2,000 characters, whatever the command, output and status', () =>
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

test('[TYPED8] what the model reads of a typed command is one line, whatever that holds', () => {
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

test('[TR9] a record of a quarter of a megabyte of line ends is made at once', () => {
  const output = `a${'\n'.repeat(250_000)}b`
  expect(commandRecord('yes ""', whole(output), 'exit 0')).toMatch(/^\$ yes ""\na\n+\[… \d+ char/)
})

test('[APP6] the ids of one append are random (v4): none of them, nor its envelope’s, tells another', () => {
  const uuid = '9b2f6c1e-51a7-4c0e-8f4d-3a8b1c2d0000'
  const append = openAppend(initialState, { at: 1, uuid, by: system, body: null })
  const ids = [uuid, append.id(), append.id(), append.id()]
  for (const id of ids.slice(1)) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBe(4)
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(4)
})
