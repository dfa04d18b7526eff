import type { Event } from '../../protocol/events/event.ts'
import { append, type EntryList, change } from './entry-list.ts'
import { type Notice, type ReplyEntry, type Thoughts, noText } from './entry.ts'
import { placed, type EndedTurn, type EventOf, type View, emptyView } from './view.ts'
import { evolve } from '../../log/evolve.ts'
import { assertNever } from '../../base/assert-never.ts'
import {
  elicitationRequest,
  elicitationResponse,
  runEnd,
  runStart,
  toolRequest,
  toolResponse,
} from './calls.ts'
import { clip, whole } from '../../base/text.ts'
import { type Message, textOf, thoughtsOf } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import type { Seq } from '../../protocol/events/seq.ts'

function note({ entries }: View, event: Event, notice: Notice): EntryList {
  return append(entries, { kind: 'notice', ...placed(event), notice })
}

/** That the first shell is there says nothing, unless it is only half understood or not where it should be. */
function shellStart(view: View, event: EventOf<'shell_start'>): EntryList {
  const { shell, generation, cwd, integration, taken, notice } = event
  if (taken) return note(view, event, { type: 'shell_taken', shell, cwd, from: taken.session })
  if (generation === 1 && integration === 'full' && notice === undefined) return view.entries
  const started = { type: 'shell_started', shell, generation, cwd, integration } as const
  return note(view, event, notice === undefined ? started : { ...started, notice })
}

function shellExit(view: View, event: EventOf<'shell_exit'>): EntryList {
  const { reason, exitCode, movedTo = null } = event
  return note(view, event, { type: 'shell_ended', reason, exitCode, movedTo })
}

function shellAdopt(view: View, event: EventOf<'shell_adopt'>): EntryList {
  const { shell, place, cwd, command } = event
  return note(view, event, { type: 'shell_adopted', shell, place, cwd, command })
}

function fault(view: View, event: EventOf<'error'>): EntryList {
  const { code, message, fatal, retryAfterMs } = event
  return note(view, event, { type: 'fault', code, message, fatal, retryAfterMs })
}

/** One event makes one entry at most: how commands are approved matters most, a title least. */
function sessionUpdate(view: View, event: EventOf<'session_update'>): EntryList {
  if (event.approval !== undefined && event.approval !== view.state.approval)
    return note(view, event, { type: 'approval', mode: event.approval })
  if (event.private !== undefined && event.private !== view.state.private)
    return note(view, event, { type: 'private', on: event.private })
  if (event.next !== undefined) return note(view, event, { type: 'continued', session: event.next })
  return view.entries
}

/** An event that the view has already is ignored, so a stream may be resumed from too early. */
export function applyEvent(view: View, event: Event): View {
  if (event.seq <= view.state.head) return view
  return {
    state: evolve(view.state, event),
    entries: fold(view, event),
    terminal: view.terminal,
    lastTurn: event.type === 'agent_end' ? endedTurn(event) : view.lastTurn,
    lastRequest: lastRequest(view, event),
  }
}

function endedTurn({ turn, reason, steps, usage, usd }: EventOf<'agent_end'>): EndedTurn {
  return { turn, reason, steps, usage, usd: usd ?? null }
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
      return note(view, event, { type: 'model', model: event.model })
    case 'shell_start':
      return shellStart(view, event)
    case 'shell_exit':
      return shellExit(view, event)
    case 'shell_adopt':
      return shellAdopt(view, event)
    case 'shell_leave':
      return note(view, event, { type: 'shell_left', command: event.command, cwd: event.cwd })
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

function message({ state, entries }: View, event: Message): EntryList {
  const text = textOf(event.parts)
  if (event.role === 'user')
    return event.synthetic
      ? append(entries, { kind: 'notice', ...placed(event), notice: { type: 'facts', text } })
      : append(entries, { kind: 'prompt', ...placed(event), text, state: 'sent' })
  const reply: ReplyEntry['reply'] = {
    phase: 'settled',
    text,
    stop: event.stop,
    ...settledThoughts(event),
  }
  // A client that joined in the middle of the step has no place for its reply yet.
  if (event.step === null || event.step !== state.step?.seq)
    return append(entries, { kind: 'reply', ...placed(event), reply })
  return change(entries, event.step, (entry) =>
    entry.kind === 'reply' ? { ...entry, reply } : entry,
  )
}

/** Less time than this is told by nobody; without words there is nothing else to tell. */
const noticedMs = 1_000

function settledThoughts(event: Message & { role: 'assistant' }): { thoughts?: Thoughts } {
  const text = clip(whole(thoughtsOf(event.parts)), limits.thoughtChars)
  const { thoughtMs: ms = null } = event
  return text !== '' || (ms ?? 0) >= noticedMs ? { thoughts: { text, ms } } : {}
}

/** The reply's place is taken here, so that it does not depend on which deltas arrive. */
function stepStart({ state, entries }: View, event: EventOf<'step_start'>): EntryList {
  const taken = new Set(event.takes)
  const delivered = state.queue
    .filter((input) => taken.has(input.seq))
    .reduce((list, input) => move(list, input.seq, 'sent'), entries)
  return append(delivered, {
    kind: 'reply',
    ...placed(event),
    by: { kind: 'model' },
    reply: { phase: 'open', live: noText },
  })
}

function stepEnd({ entries }: View, event: EventOf<'step_end'>): EntryList {
  return change(entries, event.start, (entry) =>
    entry.kind === 'reply' && entry.reply.phase === 'open'
      ? { ...entry, reply: { phase: 'settled', text: '', stop: 'lost' } }
      : entry,
  )
}

function agentEnd({ entries }: View, event: EventOf<'agent_end'>): EntryList {
  const { reason, steps } = event
  if (reason === 'done') return entries
  const notice = { type: 'turn_ended', reason, steps } as const
  return append(entries, { kind: 'notice', ...placed(event), notice })
}

function inputQueued({ entries }: View, event: EventOf<'input_queued'>): EntryList {
  const queued = append(entries, {
    kind: 'prompt',
    ...placed(event),
    text: event.text,
    state: 'queued',
  })
  return event.replaces === undefined ? queued : move(queued, event.replaces, 'withdrawn')
}

function inputWithdrawn({ entries }: View, event: EventOf<'input_withdrawn'>): EntryList {
  return move(entries, event.queued, 'withdrawn')
}

function move(entries: EntryList, seq: Seq, state: 'sent' | 'withdrawn'): EntryList {
  return change(entries, seq, (entry) =>
    entry.kind === 'prompt' && entry.state === 'queued' ? { ...entry, state } : entry,
  )
}
