import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { Seq } from '../protocol/seq.ts'

/**
 * Whether an event changes, or is drawn by, something that came before `first`: it has to be folded
 * again when that is there. So has what speaks of an event that is loose itself.
 */
export function isLoose(event: Event, first: Seq, loose: readonly Event[]): boolean {
  if (first === 1) return false
  return (
    turnsSetting(event) ||
    spokenOf(event).some((seq) => seq < first || loose.some((other) => other.seq === seq))
  )
}

/** It is told only where the setting was another before. */
function turnsSetting(event: Event): boolean {
  return (
    event.type === 'session_update' && (event.approval !== undefined || event.private !== undefined)
  )
}

/** The earlier events that an event's entry, or its effect on entries, depends on. */
function spokenOf(event: Event): readonly Seq[] {
  switch (event.type) {
    case 'session_start':
    case 'session_update':
    case 'epoch_start':
    case 'shell_start':
    case 'shell_exit':
    case 'shell_adopt':
    case 'shell_leave':
    case 'agent_start':
    case 'agent_end':
    case 'tool_request':
    case 'error':
      return []
    case 'input_queued':
      return event.replaces === undefined ? [] : [event.replaces]
    case 'input_withdrawn':
      return [event.queued]
    case 'message':
      return event.role === 'assistant' && event.step !== null ? [event.step] : []
    case 'step_start':
      return event.takes
    case 'step_end':
    case 'run_end':
      return [event.start]
    case 'run_start':
      return event.request === null ? [] : [event.request]
    case 'tool_response':
    case 'elicitation_request':
    case 'elicitation_response':
      return [event.request]
    default:
      return assertNever(event)
  }
}
