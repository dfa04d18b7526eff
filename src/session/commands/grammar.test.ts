import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Grammar, parseArguments } from './grammar.ts'
import { shell } from './runs.ts'

const names = ['action', 'repo', 'cwd', 'timeout', 'command', 'mode', 'file']

function parse(grammar: Grammar, text: string) {
  const parsed = parseArguments(grammar, text)
  if (!parsed.ok) return parsed.error
  const given = names.flatMap((name) => {
    const value = parsed.value.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(given) as Record<string, string>
}

const exporting: Grammar = {
  words: [{ name: 'mode', kind: 'choice', choices: ['md', 'json'], optional: true }],
  rest: { name: 'file', kind: 'file', optional: true },
}

test.each([
  ['git status', { command: 'git status' }],
  ['--repo backend git log -5', { repo: 'backend', command: 'git log -5' }],
  ['--cwd /tmp ls', { cwd: '/tmp', command: 'ls' }],
  ['--cwd "/a b" ls', { cwd: '/a b', command: 'ls' }],
  ["--cwd='/a b' ls", { cwd: '/a b', command: 'ls' }],
  ['--timeout 5m --repo x make  all ', { timeout: '5m', repo: 'x', command: 'make  all' }],
  ['ls --repo x', { command: 'ls --repo x' }],
  ['-- --repo x', { command: '--repo x' }],
  ['a\n b', { command: 'a\n b' }],
  ['', '<command> is missing'],
  ['--repo backend', '<command> is missing'],
  ['--repo', '--repo needs a value'],
  ['--repo a --repo b ls', '--repo is given twice'],
  ['--nope ls', 'there is no flag --nope, only --repo, --cwd, --timeout'],
  ['--max-time 5 ls', 'there is no flag --max-time, only --repo, --cwd, --timeout'],
  ['--Repo a ls', 'there is no flag --Repo, only --repo, --cwd, --timeout'],
  ['-- -x', { command: '-x' }],
  ['--cwd "/a ls', 'the quote " is not closed'],
  ['--cwd "/a"b ls', 'a blank is missing after "/a"'],
])(
  '[CMD10] the arguments of /shell %j are read, or it says what was expected',
  (text, expected) => {
    expect(parse(shell.grammar ?? {}, text)).toEqual(expected)
  },
)

test.each([
  ['', {}],
  ['md', { mode: 'md' }],
  ['json my file.json', { mode: 'json', file: 'my file.json' }],
  ['pdf', '<mode> is one of md, json, not "pdf"'],
])('[CMD10] a word that is one of a few is checked: %j', (text, expected) => {
  expect(parse(exporting, text)).toEqual(expected)
})

test('[CMD10] no arguments make it throw, and the rest is never changed', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseArguments(exporting, text)
      const parsed = parseArguments(shell.grammar ?? {}, text)
      if (!parsed.ok) return
      expect(text).toContain(parsed.value.get('command'))
    }),
  ))

test('[CMD10] a command that takes nothing says so', () => {
  expect(parse({}, ' x ')).toBe('"x " was not expected')
})

const acting: Grammar = {
  actions: { usual: 'ls', of: { ls: {}, add: { words: [{ name: 'file', kind: 'folder' }] } } },
}

test.each([
  ['', { action: 'ls' }],
  ['ls', { action: 'ls' }],
  ['add  "a b"', { action: 'add', file: 'a b' }],
  ['add', '<file> is missing'],
  ['ls x', '"x" was not expected'],
  ['toString', '"toString" is none of ls, add'],
])(
  '[CMD10] a command with actions reads %j in its own way, or says which there are',
  (text, expected) => {
    expect(parse(acting, text)).toEqual(expected)
  },
)
