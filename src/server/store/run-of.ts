import type { Event } from '../../protocol/event.ts'
import type { RunId } from '../../protocol/seq.ts'
import type { RunView } from '../../protocol/session-view.ts'

/** A run among the events of its session; null when its start is not there. */
export function runOf(events: readonly Event[], run: RunId): RunView | null {
  let found: RunView | null = null
  for (const event of events) {
    if (event.type === 'run_start' && event.run === run) found = { start: event, end: null }
    if (event.type === 'run_end' && event.run === run && found) found = { ...found, end: event }
  }
  return found
}
