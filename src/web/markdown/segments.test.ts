import * as fc from 'fast-check'
import { lexer, type Token } from 'marked'
import { expect, test } from 'vitest'
import { shellTags } from '../../session/shell-tags.ts'
import { lex, lexMore, nothingLexed } from './growing-lexer.ts'
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

/** What the session makes of a reply, as far as a tag shows it. */
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

test('[WEB43] a reply’s tags are drawn exactly where the session reads them, code left alone', () =>
  fc.assert(
    fc.property(anyReply, (text) => {
      const drawn = segmentsOf(text).flatMap((each) => (each.kind === 'tag' ? [each.body] : []))
      expect(drawn).toEqual(sessionReads(text))
    }),
    { numRuns: 3_000 },
  ))

test('[WEB44] a reply that grows is drawn as it would be at once, and finished blocks stay what they are', () =>
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

test('[WEB45] of a reply that grows by a paragraph, the blocks before it are the very same', () => {
  const text = '# One\n\nTwo.\n\n- three\n- four\n\n```ts\nfive()\n```\n\n'
  const before = lexMore(nothingLexed, `${text}Six`)
  const after = lexMore(before, `${text}Six and\n\nSeven`)
  const last = before.tokens.length - 1
  expect(last).toBeGreaterThan(4)
  for (const [at, token] of before.tokens.entries())
    if (at < last) expect(after.tokens[at]).toBe(token)
})

test('[WEB54] quotes in quotes without end, and a line of Base64, stay plain and are not lost', () => {
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
