import { Event } from '../../protocol/events/event.ts'
import type { Head, Seq, SessionId } from '../../protocol/events/seq.ts'
import type { AppendOptions, SessionSummary } from './store.ts'

export type Batch = { events: readonly Event[] } & AppendOptions

/** A batch as it will be read back, and where the log ends with it. */
export interface CheckedBatch extends AppendOptions {
  events: readonly Event[]
  first: Seq
  head: Head
  at: number
}

/**
 * Throws on what only a bug can send. Parsing here costs microseconds and keeps an event that could
 * never be read again out of the log.
 */
export function checkBatch(expectedHead: Head, batch: Batch): CheckedBatch {
  const events = batch.events.map((event) => Event.parse(event))
  const last = events.at(-1)
  if (!last) throw new Error('an append needs at least one event')
  for (const [index, event] of events.entries()) {
    const seq = expectedHead + 1 + index
    if (event.seq !== seq) throw new Error(`event ${event.seq} stands where ${seq} belongs`)
    if ((event.type === 'session_start') !== (seq === 1))
      throw new Error(`event ${seq} is a ${event.type}: a log starts with session_start, once`)
  }
  if (batch.snapshot && batch.snapshot.seq > last.seq)
    throw new Error(`the snapshot at ${batch.snapshot.seq} is ahead of the log at ${last.seq}`)
  return { ...batch, events, first: expectedHead + 1, head: last.seq, at: last.at }
}

/** Whether a session that begins with it is in no list. */
export function isUnlisted({ events: [first] }: Pick<CheckedBatch, 'events'>): boolean {
  return first?.type === 'session_start' && first.unlisted === true
}

/** The summary after this batch. */
export function summarise(
  id: SessionId,
  known: SessionSummary | null,
  { events, live = false }: { events: readonly Event[]; live?: boolean | undefined },
): SessionSummary {
  let summary = known
  for (const event of events) {
    if (event.type === 'session_start') {
      const { team, workspace, title, at, seq } = event
      const times = { createdAt: at, updatedAt: at, head: seq }
      summary = { id, team, workspace, title, ...times, preview: null, live }
    } else if (summary) {
      const title = (event.type === 'session_update' ? event.title : undefined) ?? summary.title
      const preview = summary.preview ?? previewOf(event)
      summary = { ...summary, title, preview, updatedAt: event.at, head: event.seq, live }
    }
  }
  if (!summary) throw new Error(`session ${id} has no session_start`)
  return summary
}

/** One line of a list holds no more. */
const previewChars = 100

function previewOf(event: Event): string | null {
  const text = saidIn(event)?.trim().split('\n', 1)[0]
  return text ? text.slice(0, previewChars) : null
}

function saidIn(event: Event): string | null {
  if (event.type === 'tool_request')
    return event.meta.isClientInitiated && !event.run?.private ? event.args : null
  if (event.type === 'input_queued') return event.text
  if (event.type !== 'message' || event.role !== 'user' || event.synthetic) return null
  const [first] = event.parts
  return first?.type === 'text' ? first.text : null
}
