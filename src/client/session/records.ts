import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { Event } from '../../protocol/events/event.ts'
import { limits } from '../../protocol/limits.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { RunId, Seq, SessionId } from '../../protocol/events/seq.ts'
import type { Calls, Caller } from '../wire/call.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'

/** The state of a session: settings, and what is open. */
export const readSession = ({ call }: Calls, id: SessionId) =>
  call(routes.session, { params: { id } })

/** All of its events. */
export async function readLog({ call }: Calls, id: SessionId): Promise<readonly Event[]> {
  const log: Event[] = []
  for (;;) {
    const query = { after: log.at(-1)?.seq ?? 0, limit: limits.pageEvents }
    const page = await call(routes.log, { params: { id }, query })
    log.push(...page.events)
    if (page.events.length === 0 || query.after + page.events.length >= page.head) return log
  }
}

export async function readEvent({ call }: Calls, id: SessionId, seq: Seq): Promise<Event | null> {
  const query = { after: seq - 1, limit: 1 }
  return (await call(routes.log, { params: { id }, query })).events[0] ?? null
}

interface OfRun {
  session: SessionId
  run: RunId
  from: number
}

/** A page of what a run printed, as text. */
export const readOutput = ({ call }: Calls, { session, run, from }: OfRun) =>
  call(routes.runOutput, { params: { id: session, run }, query: { from } })

/** The same as bytes, and where the next ones begin. */
export const readBytes = ({ bytes }: Pick<Caller, 'bytes'>, { session, run, from }: OfRun) =>
  bytes(routes.runBytes, { params: { id: session, run }, query: { from } })

export function exportSession(
  { document }: Pick<Caller, 'document'>,
  id: SessionId,
  { format, signal }: { format: ExportFormat; signal?: AbortSignal },
): Promise<string> {
  const input = { params: { id }, query: { format }, ...(signal && { signal }) }
  return document(routes.export, input)
}

/** A report on how much of each request had been sent before. */
export const readCache = ({ call }: Calls, id: SessionId) => call(routes.cache, { params: { id } })

/** The stored part of a session, from its end backwards. */
export interface History {
  /** The state of a session, and its last events up to there. */
  open(signal: AbortSignal): Promise<{ session: SessionView; events: readonly Event[] }>
  /** The events right before this one, oldest first; none when it is the first. */
  before(seq: Seq, signal: AbortSignal): Promise<readonly Event[]>
}

/** Some screens of chat; what is older is a page away. */
const openingEvents = 200
const pageEvents = 500
/** Behind the last event, wherever that is. */
const theEnd = Number.MAX_SAFE_INTEGER

export function createHistory({ call }: Calls, session: SessionId): History {
  const params = { id: session }

  async function page(before: number, limit: number, signal: AbortSignal) {
    const { events } = await call(routes.log, { params, query: { before, limit }, signal })
    return events
  }

  return {
    async open(signal) {
      // Asked for at once: mostly they fit, and a click waits for one answer instead of two.
      const [found, last] = await Promise.all([
        call(routes.session, { params, signal }),
        page(theEnd, openingEvents, signal),
      ])
      const events = last.filter(({ seq }) => seq <= found.seq)
      const since = Math.min(found.seq + 1, ...openSince(found))
      if (events.at(-1)?.seq === found.seq && (events[0]?.seq ?? 1) <= since)
        return { session: found, events }
      const limit = Math.min(Math.max(found.seq + 1 - since, openingEvents), limits.pageEvents)
      return { session: found, events: await page(found.seq + 1, limit, signal) }
    },
    before: (seq, signal) => (seq <= 1 ? Promise.resolve([]) : page(seq, pageEvents, signal)),
  }
}

/** Everything under way is shown from its beginning, however much has come since. */
function openSince({ open }: SessionView): readonly Seq[] {
  const places = [open.turn, open.step].filter((seq) => seq !== null)
  const events = [...open.calls, ...open.runs, ...open.asks, ...open.queue]
  return [...places, ...events.map(({ seq }) => seq)]
}
