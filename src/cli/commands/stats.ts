import { readStats } from '../../client/server.ts'
import type { RunSource } from '../../protocol/events/run.ts'
import type { Spread, Stats } from '../../protocol/http/stats.ts'
import { spentWords } from '../../view/words/meter.ts'
import { attach } from '../attach.ts'
import type { Io } from '../io.ts'

export interface StatsOptions {
  json?: boolean
  team?: string
  days?: number
}

/** `tandem stats`: how it was used on this machine. */
export async function statsCommand(io: Io, { json, team, days }: StatsOptions): Promise<void> {
  const { client } = await attach(io)
  const query = { ...(team !== undefined && { team }), ...(days !== undefined && { days }) }
  const stats = await readStats(client, query)
  io.out(json ? `${JSON.stringify(stats)}\n` : statsTable(stats))
}

/** A line: what it is, how many, and what that means. */
type Row = readonly [name: string, count: string | number, meaning?: string]

export function statsTable(stats: Stats): string {
  const { sessions, runs, overhead, programs, skills, models } = stats
  if (sessions.total === 0) return `${heading(stats)}\n\nNo session yet. Try: tandem run -- ls\n`
  const groups: readonly (readonly Row[])[] = [
    [
      ['sessions', sessions.total],
      ['  using !', sessions.usingBang, percent(sessions.bangShare)],
    ],
    [
      ['runs', runs.total, `${(runs.perSession ?? 0).toFixed(1)} a session`],
      ...runs.bySource.map(({ source, runs, perSession }): Row => [
        `  ${sources[source]}`,
        runs,
        `${perSession.toFixed(1)} a session`,
      ]),
      ['  failed', runs.failed, percent(runs.failureRate)],
      ['  private', runs.private, 'their programs are not named'],
    ],
    [
      ['overhead', ''],
      ['  to start a run', median(overhead.start), p95(overhead.start)],
      ['  to answer after it', median(overhead.end), p95(overhead.end)],
    ],
    names(
      'programs',
      programs.map(({ name, runs }) => [`  ${name}`, runs]),
    ),
    names(
      'skills',
      skills.map(({ name, uses }) => [`  ${name}`, uses]),
    ),
    names(
      'replies of models',
      models.map((spent) => [`  ${spent.model}`, spent.replies, spentWords(spent)]),
    ),
  ]
  return `${heading(stats)}\n\n${laidOut(groups.filter((rows) => rows.length > 0))}`
}

function heading({ team, days, first, last }: Stats): string {
  const what = `${team === null ? '' : ` in team ${team}`}${days === null ? '' : `, last ${days} days`}`
  const date = (at: number | null) => (at === null ? '' : new Date(at).toISOString().slice(0, 10))
  const span = first === null ? '' : ` (${date(first)} to ${date(last)})`
  return `Tandem on this machine${what}${span}\nCounted here from your logs; nothing is sent anywhere.`
}

const sources: Readonly<Record<RunSource, string>> = {
  model: 'by the model',
  bang: 'with !',
  slash: 'with /shell',
  bash: 'bash mode, tandem run',
  api: 'over the API',
  mcp: 'over MCP',
  acp: 'over ACP',
  typed: 'typed in the terminal',
}

const names = (name: string, rows: readonly Row[]): readonly Row[] =>
  rows.length === 0 ? [] : [[name, ''], ...rows]
const percent = (part: number | null) => (part === null ? '' : `${Math.round(part * 100)}%`)
const median = ({ p50 }: Spread) => (p50 === null ? '–' : `${p50} ms`)
const p95 = ({ p95 }: Spread) => (p95 === null ? '' : `median; 95% within ${p95} ms`)

function laidOut(groups: readonly (readonly Row[])[]): string {
  const rows = groups.flat()
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const countWidth = Math.max(...rows.map(([, count]) => String(count).length))
  const line = ([name, count, meaning = '']: Row) =>
    `${name.padEnd(nameWidth)}  ${String(count).padStart(countWidth)}  ${meaning}`.trimEnd()
  return groups.map((group) => `${group.map(line).join('\n')}\n`).join('\n')
}
