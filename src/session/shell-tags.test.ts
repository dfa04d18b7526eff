import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellTags } from './shell-tags.ts'

const command = (text: string, timeoutMs: number | null = null) => ({
  kind: 'command',
  command: text,
  timeoutMs,
})

test.each([
  ['one', 'a <shell>ls</shell> b', [command('ls')]],
  ['in order', '<shell>a</shell><shell>b</shell>', [command('a'), command('b')]],
  ['trimmed, lines kept', '<shell>\n  a\n  b \n</shell>', [command('a\n  b')]],
  ['with a time', '<shell timeout="120">make</shell>', [command('make', 120_000)]],
  ['with markup inside', '<shell>grep "<b>" x</shell>', [command('grep "<b>" x')]],
  ['with backticks inside', '<shell>echo `date`</shell>', [command('echo `date`')]],
  ['behind a lone backtick', 'it`s <shell>ls</shell>', [command('ls')]],
  ['between code spans', '`a` <shell>ls</shell> `b`', [command('ls')]],
  ['behind a closed fence', '```\nx\n```\n<shell>ls</shell>', [command('ls')]],
  ['with other attributes: text', '<shell env="x">ls</shell>', []],
  ['another tag', '<shells>ls</shells>', []],
  ['in a fence', '```sh\n<shell>ls</shell>\n```', []],
  ['in a tilde fence', '~~~\n<shell>ls</shell>\n~~~', []],
  ['in a fence with a shorter one inside', '````\n```\n<shell>ls</shell>\n````', []],
  ['in a fence that is never closed', 'so:\n```\n<shell>ls</shell>', []],
  ['in a code span', 'write `<shell>ls</shell>` to run', []],
  ['in a code span of two', '``<shell>`x`</shell>``', []],
])('[LOOP10] a tag is a command outside code only: %s', (_, text, calls) => {
  expect(shellTags(text)).toEqual(calls)
})

test.each([
  ['<shell></shell>', 'the command is empty'],
  ['<shell> \n </shell>', 'the command is empty'],
  ['<shell>ls', 'the <shell> tag is never closed'],
  ['<shell>a <shell>b</shell>', 'a <shell> tag is inside another one'],
])('[LOOP11] %j is not run, and says why', (text, why) => {
  expect(shellTags(text)).toMatchObject([{ kind: 'broken', why }])
})

test('[LOOP12] ten thousand tags and a megabyte of backticks are read in linear time', () => {
  expect(shellTags('<shell>a</shell>'.repeat(10_000)).length).toBe(10_000)
  expect(shellTags('` '.repeat(500_000))).toEqual([])
  expect(shellTags('<'.repeat(1_000_000))).toEqual([])
  expect(shellTags('\n'.repeat(1_000_000))).toEqual([])
})

test('[LOOP13] for any text tags are found without a throw, and commands stand in the text as written', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom('<shell>', '</shell>', '`', '```\n', '\n', '<shell timeout="5">', 'ls'),
          fc.string(),
        ),
      ),
      (pieces) => {
        const text = pieces.join('')
        for (const call of shellTags(text)) {
          if (call.kind !== 'command') continue
          expect(text).toContain(call.command)
          expect(call.command).toBe(call.command.trim())
          expect(call.command).not.toBe('')
        }
      },
    ),
  ))
