import { RunSource } from '../../protocol/events/run.ts'
import type { StatsQuery, Spread, Stats } from '../../protocol/http/stats.ts'
import {
  type Histogram,
  percentile,
  total,
  dayMs,
  type DayTally,
  type Tally,
  count,
  emptyTally,
} from './tally.ts'
import { setImmediate as breathe } from 'node:timers/promises'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Spent } from '../../protocol/events/turn.ts'
import { addSpent } from '../../log/meter.ts'
import { createSerial } from '../session/serial.ts'
import type { EventStore } from '../store/store.ts'

/** The list that a person reads; the rest is in nobody's mind either. */
const named = 20

/** The tallies of sessions as one; `now` says which days are the last ones, today included. */
export function statsOf(tallies: Iterable<Tally>, { team, days }: StatsQuery, now: number): Stats {
  const since = days === undefined ? -Infinity : Math.floor(now / dayMs) - days + 1
  const sessions = [...tallies]
    .map((tally) => [...tally.days].flatMap(([key, day]) => (key >= since ? [day] : [])))
    .filter((daysOf) => daysOf.length > 0)
  const all = sessions.flat()
  const usingBang = sessions.filter((session) => runsOf(session, 'bang') > 0).length
  return {
    team: team ?? null,
    days: days ?? null,
    first: extreme(all, (day) => day.first, Math.min),
    last: extreme(all, (day) => day.last, Math.max),
    sessions: {
      total: sessions.length,
      usingBang,
      bangShare: ratio(usingBang, sessions.length),
    },
    runs: runsIn(sessions),
    overhead: {
      start: spread(joined(all.map((day) => day.start))),
      end: spread(joined(all.map((day) => day.end))),
    },
    programs: ranked(joined(all.map((day) => day.programs))).map(([name, runs]) => ({
      name,
      runs,
    })),
    skills: ranked(joined(all.map((day) => day.skills))).map(([name, uses]) => ({ name, uses })),
    models: modelsIn(all),
  }
}

function modelsIn(days: readonly DayTally[]): Spent[] {
  const sum = new Map<string, Spent>()
  for (const day of days)
    for (const [model, spent] of day.models) sum.set(model, addSpent(sum.get(model), spent))
  return [...sum.values()].sort((a, b) => b.replies - a.replies).slice(0, named)
}

function runsIn(sessions: readonly (readonly DayTally[])[]): Stats['runs'] {
  const all = sessions.flat()
  const sum = (of: (day: DayTally) => number) => all.reduce((so, day) => so + of(day), 0)
  const bySource = RunSource.options.flatMap((source) => {
    const runs = runsOf(all, source)
    const using = sessions.filter((session) => runsOf(session, source) > 0).length
    return runs === 0 ? [] : [{ source, runs, sessions: using, perSession: runs / sessions.length }]
  })
  const runs = bySource.reduce((so, source) => so + source.runs, 0)
  const ended = sum((day) => day.ended)
  const failed = sum((day) => day.failed)
  return {
    total: runs,
    perSession: ratio(runs, sessions.length),
    bySource: bySource.sort((a, b) => b.runs - a.runs),
    private: sum((day) => day.private),
    ended,
    failed,
    failureRate: ratio(failed, ended),
  }
}

function runsOf(days: readonly DayTally[], source: RunSource): number {
  return days.reduce((sum, day) => sum + (day.runs.get(source) ?? 0), 0)
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** One by one: there can be more days than a function takes arguments. */
function extreme(
  days: readonly DayTally[],
  of: (day: DayTally) => number,
  pick: (a: number, b: number) => number,
): number | null {
  return days.reduce<number | null>((so, day) => (so === null ? of(day) : pick(so, of(day))), null)
}

function joined<K>(counts: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const sum = new Map<K, number>()
  for (const each of counts)
    for (const [key, count] of each) sum.set(key, (sum.get(key) ?? 0) + count)
  return sum
}

function ranked(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, named)
}

function spread(histogram: Histogram): Spread {
  return {
    runs: total(histogram),
    p50: percentile(histogram, 0.5),
    p95: percentile(histogram, 0.95),
  }
}

export type ReadStats = (query: StatsQuery) => Promise<Stats>

/** Sessions counted at the most, the newest first; a tally of each is a few kilobytes. */
const maxSessions = 10_000

/** A few milliseconds' work: nobody who types meanwhile notices. */
const pageEvents = 250

/**
 * Counts the logs of this machine, and remembers how far it got: a log only grows, so that the next time
 * only its new events are read. Other work goes on between two pages.
 */
export function createStats({ store, clock }: { store: EventStore; clock(): number }): ReadStats {
  const serial = createSerial()
  let known = new Map<SessionId, Tally>()

  async function catchUp(id: SessionId, head: number): Promise<Tally> {
    const tally = known.get(id) ?? emptyTally()
    while (tally.head < head) {
      const events = await store.read(id, { after: tally.head, limit: pageEvents })
      // It was removed meanwhile.
      if (events.length === 0) break
      for (const event of events) count(tally, event)
      await breathe()
    }
    return tally
  }

  return (query) =>
    serial.run(async () => {
      const sessions = await store.list({ limit: maxSessions })
      const kept = new Map<SessionId, Tally>()
      for (const { id, head } of sessions) kept.set(id, await catchUp(id, head))
      known = kept
      const wanted = sessions.filter(({ team }) => query.team === undefined || team === query.team)
      return statsOf(
        wanted.flatMap(({ id }) => kept.get(id) ?? []),
        query,
        clock(),
      )
    })
}
