import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCode } from '../src/cli/exit-code.ts'
import { citedIds, documents, readDocument, readSpec } from './architecture/documents.ts'
import { root } from './architecture/root.ts'
import { filesOf } from './architecture/source-files.ts'

const { rules, seeds, broken } = readSpec()
const ruleIds = new Set(rules.map(({ id }) => id))

test('[DOC1] every rule has its own number and is cited by a test', () => {
  expect(broken).toEqual([])
  expect(ruleIds.size).toBe(rules.length)
  const cited = citedIds()
  expect(rules.filter(({ id }) => !cited.has(id)).map(({ id }) => id)).toEqual([])
})

test('[DOC2] every id that a test cites is a rule', () => {
  const unknown = [...citedIds()].filter(([id]) => !ruleIds.has(id))
  expect(unknown.map(([id, path]) => `${id} in ${path}`)).toEqual([])
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

test('[DOC4] each requirement names rules that exist, what it waits for, or what overruled it', () => {
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
  expect(dead).toEqual([])
})

test('[DOC6] the README begins with the two commands, shows ! and lists every exit code', () => {
  const readme = readDocument('README.md')
  const top = readme.split('\n').slice(0, 30).join('\n')
  expect(top).toContain('npm ci && npm start')
  expect(top).toContain('npm ci && npm test')
  expect(readme).toContain('!git status')
  const listed = [...readme.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(listed).toEqual(Object.values(exitCode))
})

test('[DOC7] no document holds a path or a host of the machine it was written on', () => {
  const own =
    /\/work\/|\/root\b|\/tmp\/tmp|\/tmp\/bash|\bregistry\.(?!npmjs\.org)\S+|artifactory|verdaccio/
  const found = documents().filter((path) => own.test(readDocument(path)))
  expect(found).toEqual([])
})

test('[DOC8] every file that ARCHITECTURE, CONTRIBUTING and AGENTS name exists', () => {
  const files = ['src', 'test', 'scripts', 'bench', 'docs'].flatMap((folder) =>
    filesOf(folder, /./).map(({ path }) => path),
  )
  const known = [...files, ...documents()].map((path) => `/${path}`)
  const missing = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md'].flatMap((path) => {
    const [prose = ''] = readDocument(path).split('## Where the next parts go')
    return [...prose.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|md|bash))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !known.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})
