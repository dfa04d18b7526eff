import { Event } from '../../protocol/event.ts'
import type { Seq, SessionId } from '../../protocol/seq.ts'
import { StoreError } from './store-error.ts'

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
