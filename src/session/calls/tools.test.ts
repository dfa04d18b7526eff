import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedBy, tools } from './tools.ts'

const call = (name: string, args: string) => askedBy({ type: 'call', id: 'c1', name, args })

test.each([
  [
    'terminal_execute',
    '{"command":" ls -l "}',
    { kind: 'command', command: 'ls -l', timeoutMs: null },
  ],
  [
    'terminal_execute',
    '{ "command": "make", "timeout": 1.5 }',
    { kind: 'command', command: 'make', timeoutMs: 1_500 },
  ],
  ['terminal_write', '{"text":"yes"}', { kind: 'act', act: { type: 'text', text: 'yes' } }],
  [
    'terminal_write',
    '{"keys":"Down  Enter"}',
    { kind: 'act', act: { type: 'keys', names: ['Down', 'Enter'] } },
  ],
  ['terminal_read', '', { kind: 'act', act: { type: 'read', lines: 50, ansi: false } }],
  [
    'terminal_read',
    '{"lines":9,"ansi":true}',
    { kind: 'act', act: { type: 'read', lines: 9, ansi: true } },
  ],
  [
    'terminal_resize',
    '{"rows":40,"cols":132}',
    { kind: 'act', act: { type: 'resize', rows: 40, cols: 132 } },
  ],
  ['terminal_interrupt', '{}', { kind: 'act', act: { type: 'interrupt' } }],
])('[LOOP26] a native call asks for what its arguments say: %s %s', (name, args, asked) => {
  expect(call(name, args)).toEqual(asked)
})

test.each([
  ['terminal_execute', '{"command": ', 'its arguments are not valid JSON'],
  ['terminal_execute', '{"command":"  "}', 'the command is empty'],
  ['terminal_execute', '{"command":7}', 'its arguments are wrong: command: '],
  ['terminal_execute', '"ls"', 'its arguments are wrong: '],
  ['terminal_execute', '{"command":"ls","cwd":"/"}', 'its arguments are wrong: '],
  ['terminal_execute', '{"command":"ls","timeout":-1}', 'its arguments are wrong: timeout: '],
  ['terminal_write', '{}', 'give either text or keys'],
  ['terminal_write', '{"text":"a","keys":"Up"}', 'give either text or keys'],
  ['terminal_write', '{"keys":" "}', 'no key is named'],
  ['terminal_resize', '{"rows":0,"cols":80}', 'its arguments are wrong: rows: '],
  ['rm', '{"path":"/"}', 'there is no tool rm'],
  ['__proto__', '{}', 'there is no tool __proto__'],
])('[LOOP26] a call that is not clear does nothing and says why: %s %s', (name, args, why) => {
  const asked = call(name, args)
  expect(asked.kind).toBe('broken')
  expect(asked.kind === 'broken' && asked.why).toContain(why)
})

test('[LOOP26] no call makes it throw', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...tools.map(({ name }) => name)), fc.string()),
      fc.oneof(fc.json(), fc.string()),
      (name, args) => void call(name, args),
    ),
  ))

test('[TR12] what a model is told about its tools is JSON Schema and never changes between starts', () => {
  for (const { parameters } of tools)
    expect(JSON.parse(parameters)).toMatchObject({ type: 'object', additionalProperties: false })
  expect(tools.map(({ name }) => name)).toEqual([
    'terminal_execute',
    'terminal_write',
    'terminal_read',
    'terminal_resize',
    'terminal_interrupt',
    'activate_skill',
  ])
})
