import * as fc from 'fast-check'
import { lexer, type Token } from 'marked'
import { expect, test } from 'vitest'
import { shellTags } from '../../session/calls/asked.ts'
import { lex, lexMore, nothingLexed } from '../../web/markdown/growing-lexer.ts'
import { segmentsOf } from './segments.ts'

const pieces = [
  '<shell>',
  '</shell>',
  '<shell timeout="5">',
  '<shell x>',
  '<input>',
  '</input>',
  '<input keys="Ctrl+C"/>',
  '<interrupt/>',
  '<shell\u00a0>',
  '> ',
  '<!--',
  '-->',
  '<pre>',
  '</pre>',
  '\t',
  '```',
  '````',
  '~~~',
  '`',
  '``',
  '\n',
  '\n\n',
  '   ',
  '    ',
  ' ',
  'ls',
  'a < b',
  '- item',
  '# head',
  '[a][r]',
  '\n\n[r]: http://x.example\n\n',
  '| a | b |\n|--|--|\n',
]
const anyReply = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** The session's reading of a reply, as far as a tag shows it. */
function sessionReads(text: string): readonly string[] {
  return shellTags(text).map((asked) => {
    if (asked.kind === 'command') return asked.command
    if (asked.kind === 'broken') return asked.text.trim()
    if (asked.kind === 'skill') return asked.name
    const { act } = asked
    if (act.type === 'text') return act.text.trim()
    return act.type === 'keys' ? act.names.join(' ') : ''
  })
}

test('[WEB9] a reply’s tags are drawn exactly where the session reads them, code left alone', () =>
  fc.assert(
    fc.property(anyReply, (text) => {
      const drawn = segmentsOf(text).flatMap((each) => (each.kind === 'tag' ? [each.body] : []))
      expect(drawn).toEqual(sessionReads(text))
    }),
    { numRuns: 3_000 },
  ))

test('[WEB9] a reply that grows is drawn as it would be at once, and finished blocks stay what they are', () =>
  fc.assert(
    fc.property(anyReply, fc.array(fc.nat(200), { maxLength: 8 }), (text, cuts) => {
      let lexed = nothingLexed
      for (const cut of [...cuts.sort((a, b) => a - b), text.length])
        lexed = lexMore(lexed, text.slice(0, cut))
      const shape = (tokens: readonly Token[]) => tokens.map(({ type, raw }) => ({ type, raw }))
      expect(shape(lexed.tokens)).toEqual(shape(lexer(text)))
    }),
    { numRuns: 2_000 },
  ))

test('[WEB9] of a reply that grows by a paragraph, the blocks before it are the very same', () => {
  const text = '# One\n\nTwo.\n\n- three\n- four\n\n```ts\nfive()\n```\n\n'
  const before = lexMore(nothingLexed, `${text}Six`)
  const after = lexMore(before, `${text}Six and\n\nSeven`)
  const last = before.tokens.length - 1
  expect(last).toBeGreaterThan(4)
  for (const [at, token] of before.tokens.entries())
    if (at < last) expect(after.tokens[at]).toBe(token)
})

test('[WEB14] quotes in quotes without end, and a line of Base64, stay plain and are not lost', () => {
  const depthOf = ([first]: readonly Token[]): number =>
    first && 'tokens' in first ? 1 + depthOf(first.tokens ?? []) : 0
  const deep = lex(`${'> '.repeat(3_000)}at the bottom`)
  expect(depthOf(deep)).toBeLessThan(20)
  expect(JSON.stringify(deep)).toContain('at the bottom')
  const long = '*a_'.repeat(2_000)
  expect([...lex(long)]).toMatchObject([
    { type: 'paragraph', tokens: [{ type: 'text', text: long }] },
  ])
})

/** Blocks, items and cells that are drawn of a reply. */
function countOf(text: string): number {
  const blocks = (tokens: readonly Token[]): number =>
    tokens.reduce((sum, token) => sum + 1 + within(token), 0)
  const within = (token: Token): number => {
    if (token.type === 'table') return [token.header, ...token.rows].flat().length
    if (token.type === 'list') return blocks(token.items as Token[])
    return 'tokens' in token && token.tokens ? blocks(token.tokens) : 0
  }
  return segmentsOf(text).reduce(
    (sum, each) => sum + (each.kind === 'prose' ? blocks(lex(each.source)) : 1),
    0,
  )
}

const row = `|${' a |'.repeat(20)}\n`

test.each([
  ['fences', '```sh\nls\n```\n'.repeat(50_000)],
  ['open fences', '```\n\n~~~\n\n'.repeat(50_000)],
  ['tags', '<shell>ls</shell>'.repeat(20_000)],
  ['tags in prose', 'a <interrupt/>\n'.repeat(20_000)],
  ['cells', `${row}|${'--|'.repeat(20)}\n${row.repeat(3_000)}`],
  ['items', '- a\n'.repeat(50_000)],
  ['quotes', '> a\n\n'.repeat(50_000)],
  ['rules', '---\n'.repeat(50_000)],
  ['marks', `${'*a* '.repeat(1_000)}\n\n`.repeat(100)],
  ['code spans', `${'`a` '.repeat(1_000)}\n\n`.repeat(100)],
  ['links', `${'[a](b) '.repeat(600)}\n\n`.repeat(100)],
  ['fences in markup', `<div>\n\`\`\`\n\n${'- a\n'.repeat(50_000)}`],
])('[WEB14] of fifty thousand %s a bounded number is drawn, and none is lost', (_, text) => {
  expect(countOf(text)).toBeLessThan(10_000)
  const segments = segmentsOf(text)
  expect(segments.at(-1)?.kind).toBe('rest')
  const kept = segments.map((each) => (each.kind === 'tag' ? each.body : each.source)).join('')
  if (!segments.some(({ kind }) => kind === 'tag')) expect(kept).toBe(text)
  else expect(kept.length).toBeGreaterThan(text.length / 2)
})

test('[WEB14] a long but honest reply is drawn whole, and its rest does not change what is before it', () => {
  const section = `## A part\n\nWords with **weight** and \`code\`.\n\n- one\n- two\n\n\`\`\`ts\n${'call(a, b)\n'.repeat(40)}\`\`\`\n\n${row}|${'--|'.repeat(20)}\n${row}\n<shell>ls</shell>\n\n`
  const honest = section.repeat(10)
  expect(segmentsOf(honest).some(({ kind }) => kind === 'rest')).toBe(false)
  const first = segmentsOf(`${section.repeat(200)}more`)
  const later = segmentsOf(`${section.repeat(200)}more and more`)
  expect(first.at(-1)?.kind).toBe('rest')
  expect(later.slice(0, -1)).toEqual(first.slice(0, -1))
})
