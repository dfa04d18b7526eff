import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInvisible } from '../../base/text.ts'
import { parseInput } from './decide.ts'

const run = (command: string, flags = {}) => ({
  kind: 'run',
  command,
  private: false,
  thenTurn: false,
  ...flags,
})

test.each([
  ['!git status', run('git status')],
  ['  ! ls -la ', run('ls -la')],
  ['!!secret', run('secret', { private: true })],
  ['!?make', run('make', { thenTurn: true })],
  ['!a\nb', run('a\nb')],
  ['!', { kind: 'nothing' }],
  ['! ', { kind: 'nothing' }],
  ['!# a note', { kind: 'nothing' }],
  ['!!#a\n\n  # b', { kind: 'nothing' }],
  ['!# a note\nls', run('# a note\nls')],
  ['', { kind: 'nothing' }],
  [' \n', { kind: 'nothing' }],
  ['\u200b\u200d\u2060\ufeff\u00ad \u3164\u2800\u202e\x00', { kind: 'nothing' }],
  ['\u200b👩\u200d💻', { kind: 'prompt', text: '\u200b👩\u200d💻' }],
  ['hello', { kind: 'prompt', text: 'hello' }],
  ['  two\nlines ', { kind: 'prompt', text: '  two\nlines ' }],
  ['\\!not run', { kind: 'prompt', text: '!not run' }],
  ['\\/not a command', { kind: 'prompt', text: '/not a command' }],
  ['/status', { kind: 'command', name: 'status', args: '' }],
  ['/title my work', { kind: 'command', name: 'title', args: 'my work' }],
  ['/größe x', { kind: 'command', name: 'größe', args: 'x' }],
  ['/gro\u0308ße x', { kind: 'command', name: 'gr\u00f6ße', args: 'x' }],
  ['/a:b.c_d-2\n@x', { kind: 'command', name: 'a:b.c_d-2', args: '@x' }],
  ['/コミット', { kind: 'command', name: 'コミット', args: '' }],
  ['// a comment', { kind: 'prompt', text: '// a comment' }],
  ['/*', { kind: 'prompt', text: '/*' }],
  ['/usr/bin/env is missing', { kind: 'prompt', text: '/usr/bin/env is missing' }],
  ['/ what', { kind: 'prompt', text: '/ what' }],
])('[CMD1] %j is routed by its first characters', (text, directive) => {
  expect(parseInput(text, 'auto')).toEqual(directive)
})

test('[CMD2] in bash mode every line is a command, and ! means the same as elsewhere', () => {
  expect(parseInput('/usr/bin/ls', 'run')).toEqual(run('/usr/bin/ls'))
  expect(parseInput('/status', 'run')).toEqual(run('/status'))
  expect(parseInput('!!x', 'run')).toEqual(run('x', { private: true }))
  expect(parseInput(' ', 'run')).toEqual({ kind: 'nothing' })
})

test('[CMD2] a paste is text, whatever it begins with', () => {
  for (const text of ['!ls', '/status', '\\!x', '!!'])
    expect(parseInput(text, 'text')).toEqual({ kind: 'prompt', text })
})

test('[CMD1] for any text there is one directive, and no text is lost', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('auto' as const, 'run' as const, 'text' as const),
      (text, as) => {
        const directive = parseInput(text, as)
        if (directive.kind === 'prompt') expect(text).toContain(directive.text)
        if (directive.kind === 'run') expect(text).toContain(directive.command)
        if (directive.kind === 'nothing')
          expect(isInvisible(text.replaceAll(/#.*|[!?\s]/g, ''))).toBe(true)
      },
    ),
  ))
