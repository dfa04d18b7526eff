import { setImmediate as breathe } from 'node:timers/promises'
import type { SessionId } from '../../protocol/seq.ts'
import type { StatsQuery } from '../../protocol/stats-routes.ts'
import type { Stats } from '../../protocol/stats.ts'
import { createSerial } from '../serial.ts'
import type { EventStore } from '../store/store.ts'
import { statsOf } from './sum.ts'
import { count, emptyTally, type Tally } from './tally.ts'

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
