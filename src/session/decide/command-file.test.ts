import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommandFile } from '../catalogue.ts'
import { expandCommandFile } from './command-file.ts'

const expand = (syntax: CommandFile['syntax'], template: string, args: string) =>
  expandCommandFile({ name: 'fix', description: '', source: 'user', syntax, template }, args)

test.each([
  ['Fix $ARGUMENTS now', '12 high', 'Fix 12 high now', []],
  ['$1 before $2, $3.', `one "two words" `, 'one before two words, .', []],
  [`$1`, `don't stop`, `don't`, []],
  ['costs $100 and $ARGUMENTS_X', '', 'costs $100 and $ARGUMENTS_X', []],
  ['Say it.', 'loud', 'Say it.\n\nloud', []],
  ['Say it.', '  ', 'Say it.', []],
  [
    'Now: !`git status` and @src/a.ts',
    '',
    'Now: `git status` (its output follows) and @src/a.ts',
    ['git status'],
  ],
  [
    '!`git log -1 $1` !`ls`',
    `'a b'`,
    "`git log -1 'a b'` (its output follows) `ls` (its output follows)",
    ["git log -1 'a b'", 'ls'],
  ],
  ['!`ls $ARGUMENTS`', '-l src', '`ls -l src` (its output follows)', ['ls -l src']],
  ['!`ls $ARGUMENTS`', '; reboot', "`ls ';' reboot` (its output follows)", ["ls ';' reboot"]],
  ['wow!`ls` and !` `', '', 'wow!`ls` and !` `', []],
])('[CFILE1] the Markdown command %j with %j', (template, args, text, commands) => {
  expect(expand('md', template, args)).toEqual({ text, commands })
})

test.each([
  ['Fix {{args}} now', '12 high', 'Fix 12 high now', []],
  ['Say it.', 'loud', 'Say it.\n\n/fix loud', []],
  ['Say it.', '', 'Say it.', []],
  [
    'See !{git log {{args}}}: {{args}}',
    'a; b',
    "See `git log 'a; b'` (its output follows): a; b",
    ["git log 'a; b'"],
  ],
  [
    '!{awk "{ print $1 }" x} !{ ls }',
    '',
    '`awk "{ print $1 }" x` (its output follows) `ls` (its output follows)',
    ['awk "{ print $1 }" x', 'ls'],
  ],
  ['an open !{ls {{args}}', 'x', 'an open !{ls x', []],
  ['$ARGUMENTS !{} {{args}}', '', '$ARGUMENTS  ', []],
])('[CFILE1] the TOML command %j with %j', (template, args, text, commands) => {
  expect(expand('toml', template, args)).toEqual({ text, commands })
})

const pieces = fc.constantFrom(
  '$ARGUMENTS',
  '$1',
  '$2',
  '{{args}}',
  '!`',
  '`',
  '!{',
  '}',
  '{',
  'ls',
  ' ',
  '\n',
  "'",
  '"',
  '\\',
  '$&',
)
const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
const syntax = fc.constantFrom('md', 'toml') satisfies fc.Arbitrary<CommandFile['syntax']>

test('[CFILE1] no template and no arguments make a fault, and arguments are never looked through for placeholders', () =>
  fc.assert(
    fc.property(syntax, hostile, hostile, (syntax, template, args) => {
      const real = expand(syntax, template, args)
      // A text that means nothing in a template, of the same shape for words and quotes.
      const mark = '\uE000'
      const tame = expand(syntax, template, mark)
      const fill = (text: string) => text.replaceAll(mark, () => args)
      expect(real.commands.length).toBe(tame.commands.length)
      if (args.trim() !== '' && !/\$\d|`/.test(template) && !template.includes('!{'))
        expect(real.text).toBe(fill(tame.text))
    }),
    { numRuns: 1_000 },
  ))

test('[CFILE1] arguments stand in the text as they were typed', () =>
  fc.assert(
    fc.property(syntax, fc.string(), hostile, (syntax, before, args) => {
      const placeholder = syntax === 'md' ? '$ARGUMENTS' : '{{args}}'
      const around = before.replace(/[$!{}`]/g, '')
      const { text, commands } = expand(syntax, `${around} ${placeholder} ${around}`, args)
      expect(text).toBe(`${around} ${args} ${around}`)
      expect(commands).toEqual([])
      if (args.trim() !== '') expect(expand(syntax, around, args).text.endsWith(args)).toBe(true)
    }),
  ))
