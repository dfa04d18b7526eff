import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCode } from '../src/cli/exit-code.ts'
import {
  citedIds,
  documents,
  propertyIds,
  readDocument,
  readSpec,
} from './architecture/documents.ts'
import { root } from './architecture/root.ts'
import { filesOf } from './architecture/source-files.ts'

const { rules, seeds, broken } = readSpec()
const ruleIds = new Set(rules.map(({ id }) => id))

test('[DOC1] every rule has its own number and is cited by a test', () => {
  expect(broken, 'a rule is one line: - **TYPE1** A sentence.').toEqual([])
  const twice = rules.filter(({ id }, at) => rules.findIndex((rule) => rule.id === id) !== at)
  expect(twice, 'each number is used once in SPEC.md').toEqual([])
  const cited = citedIds()
  const uncited = rules.filter(({ id }) => !cited.has(id)).map(({ id }) => id)
  expect(uncited, "no test cites these rules; begin a test's name with '[ID] '").toEqual([])
})

test('[DOC1] a new rule takes the next number of its group, which no rule had before', () => {
  const [, table = ''] = readDocument('SPEC.md').split('\n## Next numbers\n')
  const next = new Map(
    [...table.matchAll(/\b([A-Z]+)(\d+)\b/g)].map(([, group = '', n]) => [group, Number(n)]),
  )
  const late = rules.filter(({ id }) => {
    const [, group = '', n] = /^([A-Z]+)(\d+)$/.exec(id) ?? []
    return Number(n) >= (next.get(group) ?? 0)
  })
  const hint = 'raise the number of their group under "Next numbers" in SPEC.md to one above them'
  expect(late, hint).toEqual([])
})

test('[DOC1] every id that a test cites is a rule', () => {
  const unknown = [...citedIds()].filter(([id]) => !ruleIds.has(id))
  const hint = 'tests cite these, and SPEC.md has no such rule; add it there'
  expect(
    unknown.map(([id, path]) => `${id} in ${path}`),
    hint,
  ).toEqual([])
})

test('[DOC1] a person reads the rules in half an hour, and one that holds for any input has a property', () => {
  expect(rules.length, 'too many rules: merge some; a new example needs none').toBeLessThanOrEqual(
    400,
  )
  const proved = propertyIds()
  const unproved = rules.filter(({ id, text }) => text.startsWith('∀') && !proved.has(id))
  const hint = 'a rule that begins with ∀ needs a test that uses fast-check (fc.assert)'
  expect(
    unproved.map(({ id }) => id),
    hint,
  ).toEqual([])
})

test('[DOC3] the seeds’ requirements are numbered without gaps', () => {
  const counts = ['S000', 'S001', 'S002', 'S003', 'S004'].map((seed) => {
    const numbers = seeds
      .filter(({ id }) => id.startsWith(`${seed}-`))
      .map(({ id }) => Number(id.split('-')[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    return numbers.length
  })
  expect(counts.every((count) => count > 10)).toBe(true)
  expect(counts.reduce((sum, count) => sum + count)).toBe(seeds.length)
})

test('[DOC3] each requirement names rules that exist, what it waits for, or what overruled it', () => {
  const parts = /waits for: (?:issue [3-6]|terminal UI|approval policy|ACP|MCP)/
  const faults = seeds.flatMap(({ id, fate }) => {
    const named = fate.match(/\b[A-Z]{2,}\d+\b(?!-)/g) ?? []
    const unknown = named.filter((rule) => !ruleIds.has(rule) && !/^S\d{3}$/.test(rule))
    const bench = /bench: (\S+)/.exec(fate)?.[1]
    const isBenched = bench !== undefined && existsSync(join(root, bench))
    const settled = named.length > 0 || parts.test(fate) || isBenched
    // "waits for" something that has no name here would wait for ever.
    const vague =
      fate.split('waits for:').length - 1 !== (fate.match(new RegExp(parts, 'g')) ?? []).length
    return unknown.length > 0 || !settled || vague ? [`${id} → ${fate}`] : []
  })
  expect(faults).toEqual([])
})

test('[DOC5] the documents exist, keep to their length, and what they link to exists', () => {
  const needed = [
    'README.md',
    'ARCHITECTURE.md',
    'SPEC.md',
    'GLOSSARY.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'CHANGELOG.md',
    'SECURITY.md',
    '.github/ISSUE_TEMPLATE/feedback.md',
    'LICENSE',
  ]
  expect(documents()).toEqual(expect.arrayContaining(needed))
  const lines = (path: string) => readDocument(path).split('\n').length - 1
  expect(lines('ARCHITECTURE.md')).toBeLessThanOrEqual(150)
  expect(lines('AGENTS.md')).toBeLessThanOrEqual(60)
  const dead = documents().flatMap((path) =>
    [...readDocument(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${path} → ${target}`),
  )
  expect(dead, 'links that lead nowhere').toEqual([])
})

test('[GUIDE1] the README begins with the two commands, shows ! and lists every exit code', () => {
  const readme = readDocument('README.md')
  const top = readme.split('\n').slice(0, 30).join('\n')
  expect(top).toContain('npm ci && npm start')
  expect(top).toContain('npm ci && npm test')
  expect(readme).toContain('!git status')
  const listed = [...readme.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(listed).toEqual(Object.values(exitCode))
})

test('[DOC5] no document holds a path or a host of the machine it was written on', () => {
  // `registry.ts` is a file of ours, not a host.
  const own =
    /\/work\/|\/root\b|\/tmp\/tmp|\/tmp\/bash|\bregistry\.(?!npmjs\.org|ts`)\S+|artifactory|verdaccio/
  const found = documents().flatMap((path) => {
    const [match] = own.exec(readDocument(path)) ?? []
    return match === undefined ? [] : [`${path}: ${match}`]
  })
  expect(found, 'write ~/… or /home/ada/… for a path, and no host but npmjs.org').toEqual([])
})

test('[DOC5] every file that ARCHITECTURE, CONTRIBUTING, AGENTS, recipes and style name exists', () => {
  const files = ['src', 'test', 'scripts', 'bench', 'docs'].flatMap((folder) =>
    filesOf(folder, /./).map(({ path }) => path),
  )
  const known = [...files, ...documents()].map((path) => `/${path}`)
  const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md']
  const missing = [...guides, 'docs/recipes.md', 'docs/style.md'].flatMap((path) => {
    return [...readDocument(path).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|md|bash))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !known.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`)
  })
  expect(missing, 'named in a document, but there is no such file').toEqual([])
})
