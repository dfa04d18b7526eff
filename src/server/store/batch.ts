import { Event } from '../../protocol/event.ts'
import type { Head } from '../../protocol/seq.ts'
import type { AppendOptions } from './store.ts'

export type Batch = { events: readonly Event[] } & AppendOptions

/** A batch as it will be read back, and where the log ends with it. */
export interface CheckedBatch extends AppendOptions {
  events: readonly Event[]
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
    if ((event.type === 'session_start') !== (seq === 1)) {
      throw new Error(`event ${seq} is a ${event.type}: a log starts with session_start, once`)
    }
  }
  if (batch.snapshot && batch.snapshot.seq > last.seq) {
    throw new Error(`the snapshot at ${batch.snapshot.seq} is ahead of the log at ${last.seq}`)
  }
  return { ...batch, events, head: last.seq, at: last.at }
}
