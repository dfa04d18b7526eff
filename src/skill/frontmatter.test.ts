import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument, stringify } from 'yaml'
import { skillLimits } from '../protocol/skill-limits.ts'
import { readFrontmatter } from './frontmatter.ts'

async function fieldsOf(yaml: string): Promise<unknown> {
  const read = await readFrontmatter(`---\n${yaml}\n---\nbody`)
  return read.ok ? Object.fromEntries(read.value.fields) : read.error
}

test.each([
  [
    'plain',
    'name: a\ndescription: Does it, well (mostly).',
    { name: 'a', description: 'Does it, well (mostly).' },
  ],
  ['quoted', 'description: "a: \\"b\\" # c"', { description: 'a: "b" # c' }],
  ['in single quotes', "description: 'it''s'", { description: "it's" }],
  ['folded', 'description: >-\n  one\n  two\n\n  three', { description: 'one two\nthree' }],
  ['kept as lines', 'description: |\n  one\n  two', { description: 'one\ntwo\n' }],
  ['over several lines', 'description: one\n  two', { description: 'one two' }],
  ['with a comment', 'description: one # not this', { description: 'one' }],
  ['beside what is no text', 'a: [1]\nb: { c: d }\nname: x', { name: 'x' }],
  ['never a number or a yes', 'name: 12\ndescription: yes', { name: '12', description: 'yes' }],
  [
    'with a bare colon',
    'name: x\ndescription: Use it when: asked',
    { name: 'x', description: 'Use it when: asked' },
  ],
  ['empty', '', {}],
])('[SKILL1] frontmatter %s is read', async (_how, yaml, fields) => {
  expect(await fieldsOf(yaml)).toEqual(fields)
})

test.each(['- a', 'name: "open', 'name: a\nname: b', 'a: &x 1\nb: *x', '\tname: x'])(
  '[SKILL1] frontmatter that is no list of fields is an error, not a guess: %j',
  async (yaml) => {
    expect(await fieldsOf(yaml)).toEqual(expect.any(String))
  },
)

test('[SKILL1] plain lines are read as YAML reads them', () => {
  const line = fc
    .tuple(
      fc.stringMatching(/^[a-z-]{1,5}$/),
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.stringMatching(/^[A-Za-z0-9(][ -~]{0,20}$/),
      ),
    )
    .map(([key, value]) => `${key}: ${value}`)
  return fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { selector: (text) => text.split(':')[0], maxLength: 3 }),
      async (lines) => {
        const yaml = lines.join('\n')
        const expected = parseStrictly(yaml)
        const read = await fieldsOf(yaml)
        // What is no YAML may be mended; what is, must be read as such.
        if (expected !== null) expect(read).toEqual(expected)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('[SKILL1] what a YAML writer writes is read back', () =>
  fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 100 })),
      async (fields) => {
        const yaml = stringify(fields).replace(/\n$/, '')
        // A line of three hyphens in a text would end the frontmatter.
        fc.pre(!/^---[ \t]*$/m.test(yaml) && !/\r/.test(yaml))
        expect(await fieldsOf(yaml)).toEqual(fields)
      },
    ),
  ))

test('[SKILL1] the body is what follows, and a text without frontmatter is all body', async () => {
  expect(await readFrontmatter('\uFEFF---\r\na: b\r\n---\r\nx\r\n')).toEqual({
    ok: true,
    value: { fields: new Map([['a', 'b']]), body: 'x\n' },
  })
  for (const text of ['', 'x', '--- a\n---\n', '---\nnever closed'])
    expect(await readFrontmatter(text)).toEqual({
      ok: true,
      value: { fields: new Map(), body: text },
    })
})

/** The texts of the first level; null when it is no YAML, or no list of fields. */
function parseStrictly(yaml: string): unknown {
  try {
    const document = parseDocument(yaml, { schema: 'failsafe', logLevel: 'silent' })
    const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 0 })
    if (typeof value !== 'object' || value === null) return null
    return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'))
  } catch {
    return null
  }
}

test('[SKILL1] frontmatter has a bound', async () => {
  const of = (chars: number) => `---\n${'#'.repeat(chars)}\n---\n`
  expect(await readFrontmatter(of(skillLimits.frontmatterChars))).toMatchObject({ ok: true })
  expect(await readFrontmatter(of(skillLimits.frontmatterChars + 1))).toMatchObject({
    ok: false,
    error: expect.stringContaining('is longer than'),
  })
})
