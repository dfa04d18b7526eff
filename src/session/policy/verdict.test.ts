import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainShell } from '../../../test/support/plain-shell.ts'
import type { Facts } from './facts.ts'
import { judge } from './verdict.ts'

const facts: Facts = {
  approval: 'guarded',
  workspace: '/project',
  cwd: '/project/src',
  shell: 'bash',
  home: '/home/me',
  isTrusted: true,
  live: plainShell(),
  files: new Map(),
}

const decide = (command: string, more: Partial<Facts> = {}) =>
  judge(command, { ...facts, ...more }).decision

test.each(['true', 'ls', 'pwd', 'skill list'])(
  '[APP8] %s only reads and runs unasked, but in fish it asks as every command does',
  (command) => {
    expect(judge(command, facts)).toMatchObject({ decision: 'allow', grade: 'reads' })
    const verdict = judge(command, { ...facts, shell: 'fish' })
    // Nobody read the command: nothing is said about its effect.
    expect(verdict).toMatchObject({ decision: 'ask', grade: null })
    expect(verdict.reasons).toEqual([expect.stringContaining('fish')])
  },
)

test.each([
  ['ls', 'reads'],
  ['export A=1', 'changes'],
  ['curl example.org', 'leaves'],
  ['ls; curl example.org | rm x', 'destroys'],
  ['ls "$(', null],
])('[APP8] the effect of %j is the gravest of its parts: %s', (command, grade) => {
  expect(judge(command, facts).grade).toBe(grade)
})

test('[APP10] outside the workspace, or where the folder is unknown, everything asks', () => {
  for (const cwd of ['/', '/projects', '/project2', '/etc', null])
    expect([cwd, decide('ls', { cwd })]).toEqual([cwd, 'ask'])
  expect(decide('ls', { cwd: '/project' })).toBe('allow')
})

test('[APP10] in an adopted shell, and in one that could not be asked, everything asks', () => {
  expect(decide('ls', { adopted: 'ssh box' })).toBe('ask')
  expect(decide('ls', { live: null })).toBe('ask')
  expect(decide('ls', { shell: null })).toBe('ask')
})

test('[APP10] ask-all asks for everything', () => {
  expect(judge('pwd', { ...facts, approval: 'ask-all' })).toMatchObject({
    decision: 'ask',
    grade: 'reads',
    reasons: ['this session asks before every command'],
  })
})

test('[APP72] in the mode Never run nothing runs, not even what only reads', () => {
  for (const command of ['pwd', 'rm x', 'ls "$('])
    expect(judge(command, { ...facts, approval: 'refuse' })).toMatchObject({
      decision: 'deny',
      reasons: [expect.stringContaining('Never run')],
    })
})

test('[APP13] control characters are denied, for a terminal would act on them; what cannot be seen asks', () => {
  for (const char of ['\x03', '\x1b', '\r', '\x7f', '\x9b', '\0'])
    expect(decide(`ls ${char}`, { approval: 'trusted-session' })).toBe('deny')
  for (const char of ['\u202e', '\u200b', '\u00a0', '\u3000'])
    expect(decide(`ls ${char}`)).toBe('ask')
})

test.each(['ls 0>(planted)', 'ls 0<(planted)', 'ls {a}>(planted)', 'ls 12<(planted) x'])(
  '[APP13] a substitution behind a number or a name is no word: %s',
  (command) => {
    expect(decide(command)).toBe('ask')
  },
)

const joints = [';', '\n', '&&', '||', '|', '|&', '&', '$(', '`', '<(', '>(', ';(', ';{ ', ';! ']

test('[APP13] nothing that holds a command which nobody knows runs unasked, whatever stands before it', () =>
  fc.assert(
    fc.property(
      // After a comment, a backslash, a closed substitution or in a text that is read it is none.
      fc.string().map((text) => text.replaceAll(/[#\\<`]/g, '')),
      fc.constantFrom(...joints),
      fc.constantFrom('', ')', '`', ';}', '\n)'),
      (before, joint, after) => {
        const command = `ls ${before}${joint}planted${after}`
        expect([command, decide(command)]).not.toEqual([command, 'allow'])
      },
    ),
  ))

test.each(['find . -print', 'timeout -v', 'npm test a', 'cat a', 'echo {a,b}'])(
  '[APP8] a command with more words than anybody reads asks: %s …',
  (command) => {
    const [name = '', ...words] = command.split(' ')
    const last = words.pop() ?? ''
    const long = `${[name, ...words].join(' ')} ${`${last} `.repeat(8_000)}`
    expect(decide(long)).toBe('ask')
  },
)

test.each([
  'gh repo delete x',
  'kubectl delete pod x',
  'aws s3 rm s3://b',
  'aws ec2 terminate-instances x',
  'docker rm x',
  'terraform destroy',
  'fly destroy x',
])(
  '[APP8] a program of a cloud, cluster or container that deletes is hard to undo: %s',
  (command) => {
    expect(judge(command, facts)).toMatchObject({ decision: 'ask', grade: 'destroys' })
  },
)
