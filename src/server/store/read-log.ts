import { z } from 'zod'
import { Event } from '../../protocol/events/event.ts'
import type { Head, Seq, SessionId, RunId } from '../../protocol/events/seq.ts'
import type { RunView } from '../../protocol/http/session-view.ts'
import { StoreError } from './store-error.ts'
import type { EventStore, Range } from './store.ts'

/** The seqs, both included, that a range takes from a log; none when `to < from`. */
export function span(range: Range, head: Head): { from: number; to: number } {
  const { after, before, limit } = range
  checkLimit(limit)
  const first = (after ?? 0) + 1
  const last = Math.min(head, (before ?? Infinity) - 1)
  const newest = after === undefined && before !== undefined
  return newest
    ? { from: Math.max(first, last - limit + 1), to: last }
    : { from: first, to: Math.min(last, first + limit - 1) }
}

/** To SQLite a negative limit means none, and a cap must not vanish by a sign. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 0) throw new RangeError(`not a limit: ${limit}`)
}

export const EventRow = z.object({ seq: z.number(), body: z.string() })

/** The event that stands at this place, or an error that names it: never a log with a hole. */
export function readEvent(session: SessionId, seq: Seq, body: string | undefined): Event {
  if (body === undefined) throw corrupt(session, seq, new Error('it is not there'))
  let event: Event
  try {
    event = Event.parse(JSON.parse(body))
  } catch (cause) {
    throw corrupt(session, seq, cause)
  }
  if (event.seq !== seq) throw corrupt(session, seq, new Error(`it says it is ${event.seq}`))
  return event
}

function corrupt(session: SessionId, seq: Seq, cause: unknown): StoreError {
  const found = cause instanceof Error ? cause.message : String(cause)
  const message = `event ${seq} of session ${session} cannot be read: ${found}. Restore a backup, or remove the session.`
  return new StoreError('corrupt_event', message, { cause })
}

const pageEvents = 1_000

/** A log from its beginning, or from behind a place, page by page. */
export async function* readPages(
  store: Pick<EventStore, 'read'>,
  session: SessionId,
  after: Head = 0,
): AsyncGenerator<readonly Event[], void> {
  for (let last = after; ;) {
    const events = await store.read(session, { after: last, limit: pageEvents })
    yield events
    if (events.length < pageEvents) return
    last = events.at(-1)?.seq ?? last
  }
}

/** A run among the events of its session; null when its start is not there. */
export function runOf(events: readonly Event[], run: RunId): RunView | null {
  let found: RunView | null = null
  for (const event of events) {
    if (event.type === 'run_start' && event.run === run) found = { start: event, end: null }
    if (event.type === 'run_end' && event.run === run && found) found = { ...found, end: event }
  }
  return found
}
