// needs: root
// takes: 45 s
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorld } from '../cli/cli.ts'

interface Row {
  command: string
  pre?: readonly string[]
  class?: string
}

const file = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8')
const rows = (name: string): readonly Row[] =>
  file(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** A prompt runs what is in it whether a command is run or not; and not every shell within a shell is installed. */
const isLeftOut = ({ pre = [], class: kind }: Row) =>
  kind === 'nested-shell' || pre.some((each) => each.startsWith('PS1='))

test('[CLI83] what depends on the state of a real bash asks, after commands that made it so', async () => {
  const world = createWorld()
  for (const [path, text] of Object.entries(JSON.parse(file('workspace.json')) as object)) {
    mkdirSync(dirname(join(world.folder, path)), { recursive: true })
    writeFileSync(join(world.folder, path), String(text))
  }
  execFileSync('git', ['init', '-q', world.folder])
  const hostile = rows('hostile.jsonl').filter((row) => row.pre !== undefined && !isLeftOut(row))
  const more = [
    { command: 'ls', pre: ['exec >README.md'] },
    { command: 'ls', pre: ['exec 2>README.md'] },
    { command: 'ls', pre: ["alias if='rm x; if'"] },
  ]
  const harmless = ['true', 'x=1', 'cd docs', 'exec 7>/dev/null', 'echo a | wc -l', 'ls']
  const all = [...hostile, ...more, ...harmless.map((each) => ({ command: 'ls', pre: [each] }))]
  const { code, stdout } = await world.run(['explain', '--jsonl', '--trust', '--shell', 'bash'], {
    input: all.map((row) => JSON.stringify(row)).join('\n'),
  })
  const decisions = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { decision: string }).decision)
  expect(code).toBe(0)
  const isAsked = (_: unknown, at: number) => at < hostile.length + more.length
  const wrong = all.filter((row, at) => (decisions[at] === 'allow') === isAsked(row, at))
  expect(wrong).toEqual([])
  world.remove()
})
