import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellTags } from './asked.ts'

const command = (text: string, timeoutMs: number | null = null) => ({
  kind: 'command',
  command: text,
  timeoutMs,
})

const screen = (lines: number) => ({ kind: 'act', act: { type: 'read', lines, ansi: false } })

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
  ['in a quote', 'He said:\n> <shell>ls</shell>', []],
  ['in a quote in a quote', '  > > <shell>ls</shell>', []],
  ['in the paragraph of a quote that goes on', '> a\nb <shell>ls</shell>', []],
  ['in a quote in a list', '- a\n\n  > <shell>ls</shell>', []],
  ['in a quote that a code span seems to reach into', 'x ` y\n> ` <shell>ls</shell>', []],
  ['in a quote that a comment reaches into', 'x <!-- y\n> --> <shell>ls</shell>', []],
  ['behind a quote', '> a\n\n<shell>ls</shell>', [command('ls')]],
  ['behind a quoted heading', '> # a\n<shell>ls</shell>', [command('ls')]],
  ['behind a fence in a quote', '> ```\n> a\n> ```\n<shell>ls</shell>', [command('ls')]],
  [
    'with quotes in it',
    '<shell>cat <<E\n> a\n\n    b\nE\n</shell>',
    [command('cat <<E\n> a\n\n    b\nE')],
  ],
  ['in a comment', 'a <!-- <shell>ls</shell> --> b', []],
  ['in a comment of lines', '<!--\n\n<shell>ls</shell>\n-->', []],
  ['in a comment that is never closed', 'a <!-- b\n\n<shell>ls</shell>', []],
  ['behind a comment', '<!-- a --> <shell>ls</shell>', [command('ls')]],
  ['in indented code', 'So:\n\n    <shell>ls</shell>', []],
  ['in code indented by a tab', 'So:\n\n\t<shell>ls</shell>', []],
  ['in indented code at the start', '    <shell>ls</shell>', []],
  ['in indented code behind a blank line', '\n    a\n\n    <shell>ls</shell>', []],
  ['in indented code of a list', '- a\n\n      <shell>ls</shell>', []],
  ['in indented code behind a marker', '-      <shell>ls</shell>', []],
  ['indented in a paragraph', 'So:\n    <shell>ls</shell>', [command('ls')]],
  ['indented as a list’s text', '1. a\n\n    <shell>ls</shell>', [command('ls')]],
  ['in lists in lists', '- a\n  - b\n\n    <shell>ls</shell>', [command('ls')]],
  ['in a fence of a list', '1. a\n\n    ```\n\n    <shell>ls</shell>\n    ```', []],
  ['behind a list whose fence is never closed', '- ```\n  a\n\n<shell>ls</shell>', [command('ls')]],
  ['in <pre>', '<pre>\n\n<shell>ls</shell>\n</pre>', []],
  ['in <PRE class>', 'a <PRE class="x"><shell>ls</shell></PRE >', []],
  ['in <pre> that is never closed', 'a\n\n<pre>\n\n<shell>ls</shell>', []],
  ['in <code>', 'write <code><shell>ls</shell></code>', []],
  ['in <script>', '<script>"<script>"; <shell>ls</shell></script>', []],
  [
    'in <blockquote> twice',
    '<blockquote><blockquote>a</blockquote><shell>ls</shell></blockquote>',
    [],
  ],
  ['in CDATA', '<![CDATA[\n<shell>ls</shell>\n]]>', []],
  ['behind <pre>', '<pre>a</pre>\n\n<shell>ls</shell>', [command('ls')]],
  ['behind a word about <code>', 'the <code> tag\n\n<shell>ls</shell>', [command('ls')]],
  ['in <prefix>', '<prefix><shell>ls</shell></prefix>', [command('ls')]],
  ['with ASCII blanks', '<shell \t\n timeout="5"\n>ls</shell>', [command('ls', 5_000)]],
  ['to look', 'so <screen/>', [screen(50)]],
  ['to look at so much', '<screen \n lines="7" />', [screen(7)]],
  [
    'to look at nothing, or too much',
    '<screen lines="0"/><screen lines="9999"/>',
    [screen(1), screen(1_000)],
  ],
  ['to look, with a text: text', '<screen>ls</screen>', []],
  ['to look, in code', '`<screen/>`', []],
  ['with a blank that is not ASCII: text', '<shell\u00a0>ls</shell>', []],
  ['with such a blank before its time: text', '<shell\u2003timeout="5">ls</shell>', []],
])('[LOOP7] a tag is a command outside code only: %s', (_, text, calls) => {
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

const regions: readonly ((inside: string) => string)[] = [
  (inside) => `> ${inside}`,
  (inside) => `>${inside}`,
  (inside) => `   > > ${inside}\nlazily`,
  (inside) => `<!-- ${inside} -->`,
  (inside) => `<!--\n\n${inside}\n\n-->`,
  (inside) => `    ${inside}`,
  (inside) => `\t${inside}`,
  (inside) => `- item\n\n      ${inside}`,
  (inside) => `- > ${inside}`,
  (inside) => `<pre>${inside}</pre>`,
  (inside) => `<Code class="a">${inside}</Code>`,
  (inside) => `<script>\n\n${inside}\n</script>`,
  (inside) => `<style>${inside}</style>`,
  (inside) => `\`\`\`sh\n${inside}\n\`\`\``,
  (inside) => `1. item\n\n   ~~~\n\n   ${inside}\n   ~~~`,
  (inside) => `\`${inside}\``,
]
const tags = fc.constantFrom(
  '<shell>ls</shell>',
  '<shell timeout="5">ls</shell>',
  '<input>y</input>',
  '<input keys="Ctrl+C"/>',
  '<interrupt/>',
  '<screen/>',
  '<screen lines="9"/>',
)
const proseWords = fc.constantFrom('So', 'a < b', '# head', '- item', '1. one', 'it`s', '| a |', '')

test('[LOOP7] a tag that is quoted, commented out, indented or in raw markup is no call; the same one in prose is', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...regions), tags), { maxLength: 4 }),
      fc.array(proseWords, { maxLength: 5 }),
      tags,
      (shown, words, tag) => {
        const blocks = shown.flatMap(([region, inside], at) => [words[at] ?? 'and', region(inside)])
        // A list ends with a paragraph at the margin, so that what is indented after it is code.
        const text = blocks.map((block) => `${block}\n\nThen.\n\n`).join('')
        expect(shellTags(text)).toEqual([])
        expect(shellTags(`${text}${tag}`)).toEqual(shellTags(tag))
        expect(shellTags(`${tag}\n\n${text}`)).toEqual(shellTags(tag))
      },
    ),
    { numRuns: 1_000 },
  ))

test('[LOOP7] ten thousand tags and a megabyte of backticks are read in linear time', () => {
  expect(shellTags('<shell>a</shell>'.repeat(10_000)).length).toBe(10_000)
  expect(shellTags('` '.repeat(500_000))).toEqual([])
  expect(shellTags('<'.repeat(1_000_000))).toEqual([])
  expect(shellTags('\n'.repeat(1_000_000))).toEqual([])
  for (const piece of [
    '<pre ',
    'a<code>',
    '<!--',
    'a <? ',
    '> ',
    '- ',
    '+ - ',
    '\n- ',
    '\n> a',
    '1. ',
    '\t',
  ])
    expect(shellTags(piece.repeat(200_000))).toEqual([])
  expect(shellTags(`${'<code>'.repeat(100_000)}${'</code>'.repeat(50_000)}`)).toEqual([])
})

test('[LOOP7] for any text tags are found without a throw, and commands stand in the text as written', () =>
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
