// takes: 40 s
import { beforeAll, describe, expect, test } from 'vitest'
import { amRoot, casesFor, runMatrix, type Who } from './support/matrix.ts'
import type { MatrixJob, MatrixResult } from './support/matrix-main.ts'

type Row = MatrixJob['cases'][number] & { result: MatrixResult | undefined }

/** States that a person or the model would be asked to answer. */
const asking = ['waiting', 'secret', 'raw']

const state = ({ result }: Row) => result?.last.state ?? 'missing'

function confusion(rows: readonly Row[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {}
  for (const row of rows) {
    const line = (table[row.expected] ??= {})
    line[state(row)] = (line[state(row)] ?? 0) + 1
  }
  return table
}

function share(numbers: readonly number[], part: number): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? 0)
}

const told = (rows: readonly Row[]) =>
  rows.map(({ name, expected, result }) => ({ name, expected, reported: result?.reported }))

describe.each<Who>(amRoot ? ['root', 'user'] : ['user'])('as %s', (who) => {
  let rows: Row[] = []
  beforeAll(async () => {
    const cases = casesFor(who)
    const results = await runMatrix(who, cases)
    rows = cases.map((one) => ({ ...one, result: results.get(one.name) }))
    const latencies = rows
      .filter(({ expected }) => asking.includes(expected))
      .flatMap(({ result }) => result?.latencyMs ?? [])
    const looks = rows.flatMap(({ result }) => result?.looks ?? [])
    process.stdout.write(
      `${who}: ${rows.length} programs, ${JSON.stringify(confusion(rows))}, ` +
        `told after p50 ${share(latencies, 0.5)} ms, p95 ${share(latencies, 0.95)} ms, ` +
        `a look p50 ${share(looks, 0.5)} ms, p95 ${share(looks, 0.95)} ms\n`,
    )
  }, 400_000)

  test('[PROBE20] the state of at least 98 of 100 programs is told right', () => {
    const wrong = rows.filter((row) => state(row) !== row.expected)
    expect(rows.length).toBeGreaterThan(120)
    expect(wrong.length / rows.length, JSON.stringify(told(wrong))).toBeLessThanOrEqual(0.02)
  })

  test('[PROBE20] no prompt for a secret is missed, or taken for another before', () => {
    const secrets = rows.filter(({ expected }) => expected === 'secret')
    const missed = secrets.filter(
      (row) =>
        state(row) !== 'secret' ||
        row.result?.reported.some((one) => one === 'waiting' || one === 'raw'),
    )
    expect(secrets.length).toBeGreaterThan(15)
    expect(told(missed)).toEqual([])
  })

  test('[PROBE20] builds, sleeps and servers are never said to ask for anything', () => {
    const working = rows.filter(({ state }) => state === 'running')
    const wrong = working.filter(({ result }) =>
      result?.reported.some((one) => asking.includes(one)),
    )
    expect(working.length).toBeGreaterThan(40)
    expect(told(wrong)).toEqual([])
  })

  test('[PROBE20] half of the questions are told within 0.4 s of the last output', () => {
    const latencies = rows
      .filter(({ expected }) => asking.includes(expected))
      .flatMap(({ result }) => result?.latencyMs ?? [])
    expect(share(latencies, 0.5)).toBeLessThan(400)
  })
})
