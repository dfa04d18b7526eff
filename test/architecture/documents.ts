import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'
import { filesOf } from './source-files.ts'

export const readDocument = (path: string) => readFileSync(join(root, path), 'utf8')

/** Everything that is written for people. */
export function documents(): readonly string[] {
  const atTop = readdirSync(root).filter((name) => name.endsWith('.md') || name === 'LICENSE')
  const below = [...filesOf('docs', /\.md$/), ...filesOf('.github', /\.md$/)]
  return [...atTop, ...below.map(({ path }) => path)]
}

export interface SeedLine {
  id: string
  text: string
  /** What stands behind the arrow. */
  fate: string
}

export interface Spec {
  rules: readonly { id: string; text: string }[]
  seeds: readonly SeedLine[]
  /** Lines that look like an entry and are none. */
  broken: readonly string[]
}

export function readSpec(): Spec {
  const rules: { id: string; text: string }[] = []
  const seeds: SeedLine[] = []
  const broken: string[] = []
  for (const line of `${readDocument('SPEC.md')}\n${readDocument('docs/seeds.md')}`.split('\n')) {
    if (!line.startsWith('- ')) continue
    const seed = /^- \*\*(S\d{3}-\d+)\*\* (.+?) → (.+)$/.exec(line)
    const rule = /^- \*\*([A-Z]+\d+)\*\* ([^→]+[.!?])$/.exec(line)
    if (seed) seeds.push({ id: seed[1] ?? '', text: seed[2] ?? '', fate: seed[3] ?? '' })
    else if (rule) rules.push({ id: rule[1] ?? '', text: rule[2] ?? '' })
    else broken.push(line)
  }
  return { rules, seeds, broken }
}

/** The ids that names of tests begin with, and where each is. */
export function citedIds(): ReadonlyMap<string, string> {
  const cited = new Map<string, string>()
  const files = [...filesOf('src', /\.test\.tsx?$/), ...filesOf('test', /\.tsx?$/)]
  for (const { path, text } of files)
    for (const [, id = ''] of text.matchAll(/['"`]\[([A-Z]+\d+)\] /g)) cited.set(id, path)
  return cited
}

/** The ids of tests that hold for any input: fast-check makes it, or a list of random histories does. */
export function propertyIds(): ReadonlySet<string> {
  const ids = new Set<string>()
  const files = [...filesOf('src', /\.test\.tsx?$/), ...filesOf('test', /\.tsx?$/)]
  for (const { text } of files)
    for (const part of text.split(/\n(?= *(?:test|it)(?:\.\w+)*\()/)) {
      const [, id] = /['"`]\[([A-Z]+\d+)\] /.exec(part) ?? []
      if (id !== undefined && /\bfc\.|\bforAny\w*\(|\bprove\w*\(/.test(part)) ids.add(id)
    }
  return ids
}
