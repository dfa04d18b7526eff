import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import type { Facts } from '../../src/session/policy/facts.ts'
import type { Verdict } from '../../src/session/policy/verdict.ts'
import { createRandom } from '../store/random.ts'
import { plainShell } from '../support/plain-shell.ts'
import { tempFolder } from '../support/temp.ts'
import { rewrites } from './rewrites.ts'

interface Row {
  command: string
  pre?: readonly string[]
  rule?: 'allow' | 'ask' | 'trusted'
}

const file = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8')
const rows = (name: string): readonly Row[] =>
  file(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

let home: string
let facts: Omit<Facts, 'files' | 'live'>
let temp: Awaited<ReturnType<typeof tempFolder>>

afterAll(() => temp.remove())

beforeAll(async () => {
  temp = await tempFolder()
  home = temp.path
  const workspace = join(home, 'shop')
  for (const [path, text] of Object.entries(JSON.parse(file('workspace.json')) as object)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), String(text))
  }
  execFileSync('git', ['init', '-q', workspace])
  execFileSync('git', ['-C', workspace, 'add', '-A'])
  facts = {
    approval: 'guarded',
    workspace,
    cwd: workspace,
    shell: 'bash',
    home,
    isTrusted: true,
  }
})

const verdictOf = (command: string, more: Partial<Facts> = {}): Promise<Verdict> =>
  judgeNow(command.replaceAll('/home/ada', home), { ...facts, ...more }, async () =>
    more.live === undefined ? plainShell() : more.live,
  )

/** Of the commands of a corpus, which several tests hold against something else: each is judged once in a mode. */
const known = new Map<string, Promise<Verdict>>()

function knownVerdictOf(
  command: string,
  approval: Facts['approval'] = 'guarded',
): Promise<Verdict> {
  const key = `${approval} ${command}`
  const verdict = known.get(key) ?? verdictOf(command, { approval })
  known.set(key, verdict)
  return verdict
}

/** The results in order. A verdict waits for a shell that reads the command, too: some wait together. */
async function ofEach<T, R>(all: readonly T[], result: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += 8)
    results.push(...(await Promise.all(all.slice(at, at + 8).map(result))))
  return results
}

async function unlike(
  all: readonly Row[],
  wanted: (row: Row) => Verdict['decision'],
  approval?: Facts['approval'],
): Promise<readonly string[]> {
  const verdicts = await ofEach(all, ({ command }) => knownVerdictOf(command, approval))
  return verdicts.flatMap(({ decision, reasons }, at) => {
    const row = all[at]!
    const isWanted = decision === wanted(row) || (decision === 'deny' && wanted(row) === 'ask')
    return isWanted ? [] : [`${decision}: ${row.command} (${reasons.join('; ')})`]
  })
}

test('[APP8] of the commands of every day at most three in a hundred ask', async () => {
  const all = rows('everyday.jsonl')
  expect((await unlike(all, () => 'allow')).length).toBeLessThanOrEqual(all.length * 0.03)
})

test('[APP8] what is dangerous or cannot be read asks, whatever it looks like', async () => {
  const all = rows('hostile.jsonl').filter(({ pre }) => pre === undefined)
  expect(await unlike(all, () => 'ask')).toEqual([])
})

test('[APP8] a realistic day: what only reads, checks or records runs, the rest asks', async () => {
  const all = rows('day.jsonl')
  const wrong = await unlike(all, ({ rule }) => (rule === 'allow' ? 'allow' : 'ask'))
  expect(wrong.filter((line) => line.startsWith('allow'))).toEqual([])
  const allowed = all.filter(({ rule }) => rule === 'allow')
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(allowed.length * 0.03)
})

test('[APP8] in a trusted session files of the workspace are written unasked, and nothing else', async () => {
  const all = rows('day.jsonl')
  const wanted = ({ rule }: Row) => (rule === 'ask' ? 'ask' : 'allow')
  const wrong = await unlike(all, wanted, 'trusted-session')
  expect(wrong.filter((line) => line.startsWith('allow'))).toEqual([])
  const allowed = all.filter(({ rule }) => rule !== 'ask')
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(allowed.length * 0.03)
})

test('[APP72] of a hundred proposals of the day at most ten ask in Trust this session', async () => {
  const all = rows('day.jsonl')
  const asked = await unlike(all, () => 'allow', 'trusted-session')
  const default_ = await unlike(all, () => 'allow')
  const share = (count: number) => `${((100 * count) / all.length).toFixed(1)} in 100`
  const figures = readFileSync(new URL('../../docs/figures.md', import.meta.url), 'utf8')
  const words = `${default_.length} of ${all.length} (${share(default_.length)}); *Trust this session* ${asked.length} (${share(asked.length)})`
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(all.length / 10)
  expect(figures).toContain(words)
})

test('[APP8] where nobody trusts the folder neither tasks nor git run unasked', async () => {
  for (const command of ['npm test', 'git status', 'git commit -m x', 'make test', 'cargo test'])
    expect((await verdictOf(command, { isTrusted: false })).decision).toBe('ask')
  expect((await verdictOf('cat README.md', { isTrusted: false })).decision).toBe('allow')
})

test('[APP8] a shell that could not be asked, drifted, or has a name of its own asks', async () => {
  expect((await verdictOf('ls', { live: null })).decision).toBe('ask')
  const live = plainShell({ functions: new Set(['ls']) })
  expect(await verdictOf('ls', { live })).toMatchObject({
    decision: 'ask',
    reasons: expect.arrayContaining(['`ls` is a function']),
  })
  expect((await verdictOf('cat README.md', { live })).decision).toBe('allow')
  const drifted = plainShell({ traps: { text: "trap -- 'x' DEBUG", names: new Set(['DEBUG']) } })
  expect((await verdictOf('cat README.md', { live: drifted })).reasons).toEqual([
    'a DEBUG trap is set',
  ])
})

test('[APP8] a verdict does not change when the same is said in other words', async () => {
  const random = createRandom('policy')
  const all = [
    ...rows('everyday.jsonl'),
    ...rows('day.jsonl'),
    ...rows('hostile.jsonl').filter(({ pre }) => pre === undefined),
  ].filter(({ command }) => !command.endsWith('\\'))
  const said = ({ decision, grade }: Verdict) => `${decision} ${grade}`
  const drawn = Array.from({ length: 1_500 }, () => {
    const { command } = all[random.wholeBelow(all.length)]!
    return { command, rewritten: rewrites[random.wholeBelow(rewrites.length)]!(command) }
  })
  const changed = await ofEach(drawn, async ({ command, rewritten }) => {
    if (rewritten === null) return []
    const before = said(await knownVerdictOf(command))
    const after = said(await verdictOf(rewritten))
    return before === after ? [] : [`${before} → ${after}: ${JSON.stringify(rewritten)}`]
  })
  expect(changed.flat()).toEqual([])
})
