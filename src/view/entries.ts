import { evolve } from '../log/evolve.ts'
import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import { elicitationRequest, elicitationResponse } from './apply-ask.ts'
import { runEnd, runStart, toolRequest, toolResponse } from './apply-call.ts'
import {
  epochStart,
  fault,
  sessionUpdate,
  shellAdopt,
  shellExit,
  shellLeave,
  shellStart,
} from './apply-notice.ts'
import { agentEnd, inputQueued, inputWithdrawn, message, stepEnd, stepStart } from './apply-turn.ts'
import type { EntryList } from './entry-list.ts'
import { emptyView, type View } from './view.ts'

/** An event that the view has already is ignored, so a stream may be resumed from too early. */
export function applyEvent(view: View, event: Event): View {
  if (event.seq <= view.state.head) return view
  return {
    state: evolve(view.state, event),
    entries: fold(view, event),
    terminal: view.terminal,
    lastTurn:
      event.type === 'agent_end'
        ? { turn: event.turn, reason: event.reason, steps: event.steps, usage: event.usage }
        : view.lastTurn,
    lastRequest: lastRequest(view, event),
  }
}

function lastRequest({ lastRequest: last }: View, event: Event): View['lastRequest'] {
  if (event.type === 'step_start')
    return { step: event.seq, bytes: event.request.bytes, witness: null }
  return event.type === 'step_end' && event.start === last?.step
    ? { ...last, witness: event.witness }
    : last
}

export function viewOf(events: Iterable<Event>): View {
  let view = emptyView
  for (const event of events) view = applyEvent(view, event)
  return view
}

/** The entries after an event; the view's state is still the one before it. */
function fold(view: View, event: Event): EntryList {
  switch (event.type) {
    case 'session_start':
    case 'agent_start':
      return view.entries
    case 'session_update':
      return sessionUpdate(view, event)
    case 'epoch_start':
      return epochStart(view, event)
    case 'shell_start':
      return shellStart(view, event)
    case 'shell_exit':
      return shellExit(view, event)
    case 'shell_adopt':
      return shellAdopt(view, event)
    case 'shell_leave':
      return shellLeave(view, event)
    case 'input_queued':
      return inputQueued(view, event)
    case 'input_withdrawn':
      return inputWithdrawn(view, event)
    case 'message':
      return message(view, event)
    case 'agent_end':
      return agentEnd(view, event)
    case 'step_start':
      return stepStart(view, event)
    case 'step_end':
      return stepEnd(view, event)
    case 'tool_request':
      return toolRequest(view, event)
    case 'tool_response':
      return toolResponse(view, event)
    case 'run_start':
      return runStart(view, event)
    case 'run_end':
      return runEnd(view, event)
    case 'elicitation_request':
      return elicitationRequest(view, event)
    case 'elicitation_response':
      return elicitationResponse(view, event)
    case 'error':
      return fault(view, event)
    default:
      return assertNever(event)
  }
}
