import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Command = z.string().min(1)
const Day = z.strictObject({
  command: Command,
  kind: z.enum([
    'reading',
    'searching',
    'testing',
    'building',
    'editing',
    'committing',
    'system',
    'network',
  ]),
  rule: z.enum(['allow', 'ask', 'trusted']),
  why: z.string().min(1).optional(),
})
const Everyday = z.strictObject({ command: Command })
const Hostile = z.strictObject({
  command: Command,
  pre: z.array(Command).min(1).optional(),
  class: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
})

const text = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8')
const rows = <T>(name: string, schema: z.ZodType<T>): readonly T[] =>
  text(name)
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)))

const day = rows('day.jsonl', Day)
const everyday = rows('everyday.jsonl', Everyday)
const hostile = rows('hostile.jsonl', Hostile)

const twice = (keys: readonly string[]) => keys.filter((key, at) => keys.indexOf(key) !== at)

test('[APP8] the corpora are large enough, and no line comes twice', () => {
  expect(day.length).toBeGreaterThanOrEqual(240)
  expect(everyday.length).toBeGreaterThanOrEqual(330)
  expect(hostile.length).toBeGreaterThanOrEqual(560)
  expect(twice(day.map(({ command }) => command))).toEqual([])
  expect(twice(everyday.map(({ command }) => command))).toEqual([])
  expect(twice(hostile.map(({ command, pre }) => JSON.stringify([command, pre])))).toEqual([])
})

test('[APP8] no command is to run unasked in one corpus and to ask in another', () => {
  const asks = new Set(hostile.filter(({ pre }) => !pre).map(({ command }) => command))
  const allowed = [...everyday, ...day.filter(({ rule }) => rule === 'allow')]
  expect(allowed.filter(({ command }) => asks.has(command))).toEqual([])
  const unasked = new Set(everyday.map(({ command }) => command))
  const disputed = day.filter(({ command, rule }) => rule !== 'allow' && unasked.has(command))
  expect(disputed).toEqual([])
})

test('[APP8] the README states the mix of the day as it is', () => {
  const share = (count: number) => Math.round((100 * count) / day.length)
  const row = (name: string, is: (entry: z.infer<typeof Day>) => boolean) => {
    const count = day.filter(is).length
    return `| ${name} | ${count} | ${share(count)} % |`
  }
  const stated = text('README.md').split('\n')
  const mix = [
    ...Day.shape.kind.options.map((kind) => row(kind, (entry) => entry.kind === kind)),
    ...Day.shape.rule.options.map((rule) => row(`\`${rule}\``, (entry) => entry.rule === rule)),
  ]
  expect(stated).toEqual(expect.arrayContaining(mix))
})

test('[APP8] bash can read every line that is to run', () => {
  const commands = [...day, ...everyday].map(({ command }) => command)
  const script = `while IFS= read -r -d '' line; do
    bash --norc --noprofile -n -c "$line" 2>&1 || printf 'in: %s\\n' "$line"
  done`
  // A zero byte ends each command, since a command may have many lines and can hold no such byte.
  const { status, stdout } = spawnSync('bash', ['--norc', '--noprofile', '-c', script], {
    input: commands.map((command) => `${command}\0`).join(''),
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).toBe('')
})
