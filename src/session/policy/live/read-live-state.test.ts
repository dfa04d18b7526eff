import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  concealValues,
  joinRecords,
  type LiveRecord,
  splitRecords,
} from '../../../protocol/holder/live-records.ts'
import { readLiveState } from './read-live-state.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '\n',
    '\\',
    '\\0',
    '\\\\0',
    'end',
    '0',
    '1',
    "'",
    '"$(x)"',
    '\x1b]0;\x07',
    '%41',
  ),
)
const bytes = (text: string) => Buffer.from(text).toString('latin1')
const named = fc.dictionary(hostile, hostile, { maxKeys: 5 }).map((found) => Object.entries(found))
const flat = (entries: readonly (readonly [string, string])[]) => [
  ...entries.map(([name]) => name),
  ...entries.map(([, value]) => value),
]

/** As a zsh writes it: no NUL is left in a field. */
function written(id: string, records: readonly LiveRecord[]): string {
  const spell = (field: string) =>
    bytes(field)
      .replaceAll('\\', '\\\\')
      .replaceAll('\0', String.raw`\0`)
  const all = [{ kind: 'id', fields: [id, 'zsh'] }, ...records, { kind: 'end', fields: [id] }]
  return joinRecords(all.map(({ kind, fields }) => ({ kind, fields: fields.map(spell) })))
}

test('[APP60] whatever aliases, functions, variables and folders hold is read back exactly, and nothing breaks out of its place', () => {
  fc.assert(
    fc.property(named, named, fc.array(hostile), hostile, (aliases, values, functions, cwd) => {
      const text = written('7', [
        { kind: 'cwd', fields: [`${cwd}\n`] },
        { kind: 'aliases', fields: flat(aliases) },
        { kind: 'functions', fields: functions },
        {
          kind: 'variables',
          fields: values.flatMap(([name, value]) => [name, 'scalar-export', value]),
        },
      ])
      const state = readLiveState(text, '7')
      expect(state?.cwd).toBe(cwd)
      expect([...(state?.aliases ?? [])]).toEqual(aliases)
      expect([...(state?.functions ?? [])]).toEqual([...new Set(functions)])
      const read = [...(state?.variables ?? [])].map(([name, { value }]) => [name, value])
      expect(read).toEqual(values)
    }),
  )
})

test('[APP60] an answer that was cut off, belongs to another question or is nothing of ours is no state', () => {
  const text = written('7', [{ kind: 'aliases', fields: ['ls', 'rm'] }])
  expect(readLiveState(text, '7')).not.toBeNull()
  expect(readLiveState(text, '8')).toBeNull()
  for (let length = 0; length < text.length; length += 1)
    expect(readLiveState(text.slice(0, length), '7')).toBeNull()
  fc.assert(
    fc.property(fc.string(), (any) => {
      expect(readLiveState(any, '7')).toBeNull()
    }),
  )
})

test('[APP60] bash’s own tables must agree with what it lists', () => {
  const answer = (aliased: string, hashed: string) =>
    joinRecords([
      { kind: 'id', fields: ['7', 'bash'] },
      { kind: 'aliases', fields: ['ll', 'ls -l'] },
      { kind: 'aliased', fields: [aliased] },
      { kind: 'hashes', fields: ['ls', '/bin/ls'] },
      { kind: 'hashed', fields: [hashed] },
      { kind: 'end', fields: ['7'] },
    ])
  const hashed = 'builtin hash -p /bin/ls ls\n'
  expect(readLiveState(answer('ll\n', hashed), '7')?.aliases.get('ll')).toBe('ls -l')
  expect(readLiveState(answer('ll\nls\n', hashed), '7')).toBeNull()
  expect(readLiveState(answer('ls\n', hashed), '7')).toBeNull()
  expect(readLiveState(answer('ll\n', `${hashed}${hashed}`), '7')).toBeNull()
  expect(readLiveState(answer('ll\n', ''), '7')).toBeNull()
})

test('[APP60] two values that are no text never become the same', () => {
  const alias = (body: string) => {
    const records = [
      { kind: 'id', fields: ['7', 'zsh'] },
      { kind: 'aliases', fields: ['x', body] },
      { kind: 'end', fields: ['7'] },
    ]
    return readLiveState(joinRecords(records), '7')?.aliases.get('x')
  }
  expect(alias('\xff')).not.toBe(alias('\xfe'))
  expect(alias(bytes('é%c3'))).toBe('é%c3')
})

test('[APP60] of variables only those keep their value that decide what a word means, or that a person may take as they are', () => {
  const fields = [
    'GIT_TOKEN',
    'x',
    'secret',
    'IFS',
    '',
    ' \n',
    'NODE_OPTIONS',
    'x',
    'less',
    'PAGER',
    'x',
    'less',
  ]
  const concealed = concealValues([{ kind: 'variables', fields }], () => '#')
  expect(concealed).toEqual([
    {
      kind: 'variables',
      fields: [
        'GIT_TOKEN',
        'x',
        '#',
        'IFS',
        '',
        ' \n',
        'NODE_OPTIONS',
        'x',
        '#',
        'PAGER',
        'x',
        'less',
      ],
    },
  ])
  expect(splitRecords(joinRecords(concealed))).toEqual(concealed)
})
