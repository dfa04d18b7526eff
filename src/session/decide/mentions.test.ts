import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Catalogue, MentionedFile } from '../catalogue.ts'
import { mentioned, findMentions } from './attach.ts'

/** A world in which these paths, as typed, name something. */
function world(...paths: readonly string[]): ReadonlyMap<string, MentionedFile> {
  return new Map(
    paths.map((path) => {
      const kind = path.endsWith('/') ? 'folder' : 'file'
      return [path, { file: `/ws/${path}`, kind, ask: null }]
    }),
  )
}

/** Path and lines of what is read, as short text. */
function readsOf(text: string, ...paths: readonly string[]): readonly string[] {
  const catalogue = { mentions: world(...paths) } as Catalogue
  return mentioned(text, catalogue).flatMap((found) => {
    if (found.kind !== 'file') return []
    const { path, lines } = found.read
    return [path + (lines ? `#${lines.from}-${lines.to}` : '')]
  })
}

test.each([
  ['alone', '@a.ts', 'a.ts'],
  ['in a sentence', 'see @src/a.ts, please', 'src/a.ts'],
  ['at its end', 'what is in @a.ts?', 'a.ts'],
  ['in brackets', '(see @a.ts)', 'a.ts'],
  ['in quotes of the sentence', 'the file "@a.ts" is', 'a.ts'],
  ['with a genitive', '@a.ts’s first line', 'a.ts'],
  ['with a full stop of its own', 'see @a.', 'a.'],
  ['in a language without blanks', '请看@a.ts。谢谢', 'a.ts'],
  ['in quotes', 'see @"a b.ts".', 'a b.ts'],
  ['at home', '@~/a.ts', '~/a.ts'],
  ['absolute', '@/etc/hosts', '/etc/hosts'],
  ['a folder', '@src/', 'src/'],
  ['with an @ in it', '@node_modules/@x/y.ts', 'node_modules/@x/y.ts'],
  ['with brackets in it', '@app/(group)/[id].tsx', 'app/(group)/[id].tsx'],
  ['on a later line', 'a\n  @a.ts\nb', 'a.ts'],
  ['behind a fence', '```\nx\n```\n@a.ts', 'a.ts'],
  ['between code spans', '`x` @a.ts `y`', 'a.ts'],
])('[AT1] what follows an @ names a file: %s', (_, text, path) => {
  expect(readsOf(text, path)).toEqual([path])
})

test.each([
  ['@a.ts:10', 'a.ts#10-10'],
  ['@a.ts:10-20', 'a.ts#10-20'],
  ['see @a.ts:10-20.', 'a.ts#10-20'],
  ['@a.ts:10:5: error', 'a.ts#10-10'],
  ['@a.ts:20-10', 'a.ts#10-20'],
  ['@a.ts:0-5', 'a.ts#1-5'],
  ['@a.ts:0', 'a.ts'],
  ['@"a.ts":3-4', 'a.ts#3-4'],
  ['@"a.ts:3-4"', 'a.ts#3-4'],
])('[AT1] line numbers go behind the path: %s', (text, read) => {
  expect(readsOf(text, 'a.ts')).toEqual([read])
})

test('[AT1] the longest reading that names something counts', () => {
  expect(readsOf('@a.ts:10', 'a.ts', 'a.ts:10')).toEqual(['a.ts:10'])
  expect(readsOf('@a.ts.', 'a.ts', 'a.ts.')).toEqual(['a.ts.'])
  expect(readsOf('@a,b', 'a', 'a,b')).toEqual(['a,b'])
})

test.each([
  ['an e-mail address', 'mail joe@a.ts now'],
  ['an address with a sign', 'joe.x+y@a.ts'],
  ['an escape', 'a plain \\@a.ts'],
  ['behind another @', '@@a.ts'],
  ['in inline code', 'write `@a.ts` here'],
  ['in inline code of two', 'write ``x ` @a.ts`` here'],
  ['in a fence', '```ts\n@a.ts\n```'],
  ['in a tilde fence', '~~~\n@a.ts\n~~~'],
  ['in a fence that is never closed', '```\n@a.ts'],
  ['an @ alone', 'meet @ a.ts'],
  ['a quote that is never closed', '@"a.ts'],
])('[AT1] not everything behind an @ is a mention: %s', (_, text) => {
  expect(readsOf(text, 'a.ts')).toEqual([])
})

test('[AT1] what names nothing stays text, also a decorator or a name of a person', () => {
  const text = '@Injectable() class A {} // by @joe, see @types/node and @a.ts'
  expect(readsOf(text, 'a.ts')).toEqual(['a.ts'])
  expect(findMentions(text)).toHaveLength(4)
})

test('[AT6] several mentions are read in order, each place and range once', () => {
  const text = '@b.ts,@a.ts and @b.ts. again (@b.ts:1) @"a.ts"'
  expect(readsOf(text, 'a.ts', 'b.ts')).toEqual(['b.ts', 'a.ts', 'b.ts#1-1'])
})

test('[AT1] lines of a folder mean nothing', () => {
  expect(readsOf('@src/:3', 'src/')).toEqual(['src/'])
})

const piece = fc.oneof(
  fc.constantFrom(
    '@',
    '"',
    '`',
    '```',
    '\n',
    ' ',
    '\\',
    ':1',
    '-2',
    '.',
    ',',
    'a',
    '~~~',
    '/',
    '(',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

test('[AT1] any text is searched without harm, and readings are pieces of it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const places = findMentions(text)
      expect(places.length).toBeLessThanOrEqual(200)
      for (const { path, lines } of places.flat()) {
        expect(path).not.toBe('')
        expect(path).not.toContain('\n')
        expect(text).toContain(path)
        if (lines) expect(lines.from).toBeGreaterThan(0)
        if (lines) expect(lines.to).toBeGreaterThanOrEqual(lines.from)
      }
    }),
  )
})

test('[AT1] a prompt of a million characters is searched in time that grows with its length only', () => {
  for (const text of ['(@', '@a.', '@"', '`@', '@a\n', ')'.repeat(3) + '@']) {
    expect(findMentions(text.repeat(1_000_000 / text.length)).length).toBeLessThanOrEqual(200)
    expect(findMentions(`@${text.repeat(1_000_000 / text.length)}`).length).toBeLessThan(201)
  }
})

const name = fc.stringMatching(/^[a-z][a-z0-9 _.-]{0,8}[a-z0-9]$/)

test('[AT1] a path in quotes is found whatever stands around it', () => {
  const around = fc.constantFrom('', 'see ', '(', '\n', 'x, ', '“')
  fc.assert(
    fc.property(name, around, around, (path, before, after) => {
      expect(readsOf(`${before}@"${path}"${after}`, path)).toEqual([path])
    }),
  )
})
