import type { CallStatus } from '../../protocol/events/call.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Head, RunId, Seq } from '../../protocol/events/seq.ts'
import type { RunOutcome } from '../../protocol/events/run.ts'
import { textOf, thoughtsOf } from '../../protocol/events/message.ts'
import type { EventOf } from '../../view/fold/view.ts'

/** The consequences of a submitted text so far, for one who waits for its end. */
export interface Progress {
  /** The events that submitting it caused. */
  span: { first: Seq; head: Head }
  /** The event that our turn is about; null when none is to be expected. */
  trigger: Seq | null
  turn: Seq | null
  /** It answered a question: the turn that had asked goes on, and its end is ours. */
  hasAnswered: boolean
  /** An aborted turn ends before its last step: the cut reply and the stopped run come after it. */
  step: Seq | null
  /** Calls of our own that are not answered yet: whether a turn follows, or the answer is the answer. */
  calls: ReadonlyMap<Seq, { thenTurn: boolean; isCommand: boolean }>
  /** The text of the newest reply, or of a command’s answer. */
  text: string
  /** The thoughts of each reply that had some to be read, and how long they took if that was measured. */
  thoughts: readonly { text: string; ms: number | null }[]
  /** The end of the command that the text itself is; null before, and when it is a prompt. */
  status: CallStatus | null
  runs: readonly {
    start: Seq
    command: string
    exitCode: number | null
    outcome: RunOutcome | null
  }[]
  /** The run that the text itself asked for: what it prints is the answer, unless a turn follows. */
  own: RunId | null
  fault: EventOf<'error'> | null
  /** Questions that are open, the oldest first. */
  asks: readonly EventOf<'elicitation_request'>[]
  end: EventOf<'agent_end'> | null
  head: Head
}

export function beginProgress(span: Progress['span']): Progress {
  return {
    span,
    trigger: null,
    turn: null,
    hasAnswered: false,
    step: null,
    calls: new Map(),
    text: '',
    thoughts: [],
    status: null,
    runs: [],
    own: null,
    fault: null,
    asks: [],
    end: null,
    head: 0,
  }
}

/** Nothing more is to come of it. */
export function isOver(progress: Progress): boolean {
  const { span, end, step, trigger, hasAnswered, calls, asks, head } = progress
  if (end) return step === null
  const isAwaited = trigger !== null || hasAnswered || calls.size > 0
  return head >= span.head && !isAwaited && !asks.some((ask) => isOwn(progress, ask))
}

export function advance(progress: Progress, event: Event): Progress {
  return { ...progress, ...change(progress, event), head: event.seq }
}

function change(progress: Progress, event: Event): Partial<Progress> {
  // Only some events matter here, and a new one would not: no exhaustive switch.
  if (event.type === 'message') return message(progress, event)
  if (event.type === 'input_queued') return queued(progress, event)
  if (event.type === 'input_withdrawn') return withdrawn(progress, event)
  if (event.type === 'tool_request') return toolRequest(progress, event)
  if (event.type === 'tool_response') return toolResponse(progress, event)
  if (event.type === 'run_start' || event.type === 'run_end') return run(progress, event)
  if (event.type === 'elicitation_request') return { asks: [...progress.asks, event] }
  if (event.type === 'elicitation_response') return answered(progress, event)
  if (event.type === 'error') return { fault: event }
  return turn(progress, event)
}

function isOwn({ span }: Progress, { seq }: Event): boolean {
  return seq >= span.first && seq <= span.head
}

function queued(progress: Progress, event: Event): Partial<Progress> {
  return isOwn(progress, event) ? prompted(event) : {}
}

/** A command that says something to the model has no other answer than its turn. */
function prompted({ seq }: Event): Partial<Progress> {
  return { trigger: seq, text: '', status: null }
}

/** Somebody took it back, or said it otherwise: there is nothing of ours to wait for. */
function withdrawn(
  { trigger, turn }: Progress,
  event: EventOf<'input_withdrawn'>,
): Partial<Progress> {
  if (trigger === null && turn === null) return { hasAnswered: false }
  return event.queued === trigger ? { trigger: null, status: 'cancelled' } : {}
}

/** By what was submitted, or of a question that this led to. */
function answered(progress: Progress, event: EventOf<'elicitation_response'>): Partial<Progress> {
  const ask = progress.asks.find(({ seq }) => seq === event.request)
  const isOurs = isOwn(progress, event) || (ask !== undefined && isOwn(progress, ask))
  return {
    asks: progress.asks.filter((open) => open !== ask),
    hasAnswered: progress.hasAnswered || (isOurs && event.outcome !== 'void'),
  }
}

function message(progress: Progress, event: EventOf<'message'>): Partial<Progress> {
  if (event.role === 'user')
    return isOwn(progress, event) && !event.synthetic ? prompted(event) : {}
  if (progress.turn === null) return {}
  return { text: textOf(event.parts), thoughts: [...progress.thoughts, ...thoughtIn(event)] }
}

function thoughtIn(event: AssistantMessage): Progress['thoughts'] {
  const text = thoughtsOf(event.parts)
  const ms = event.thoughtMs ?? null
  return text === '' && ms === null ? [] : [{ text, ms }]
}

type AssistantMessage = Extract<EventOf<'message'>, { role: 'assistant' }>

function toolRequest(progress: Progress, event: EventOf<'tool_request'>): Partial<Progress> {
  // Files that a prompt mentions are only read for it: its turn is the answer.
  if (!isOwn(progress, event) || event.step !== null || event.prompt !== undefined) return {}
  const thenTurn = event.run?.thenTurn ?? false
  const isCommand = event.run === undefined
  return { calls: new Map(progress.calls).set(event.seq, { thenTurn, isCommand }) }
}

function toolResponse(progress: Progress, event: EventOf<'tool_response'>): Partial<Progress> {
  const call = progress.calls.get(event.request)
  if (!call) return {}
  const calls = new Map(progress.calls)
  calls.delete(event.request)
  const { status } = event
  if (call.isCommand || isNotRun(progress, event)) return { calls, status, text: event.content }
  return call.thenTurn && event.inContext ? { calls, trigger: event.seq } : { calls, status }
}

/** Nothing was printed that could be the answer; what it says is why. */
function isNotRun({ runs }: Progress, { status }: EventOf<'tool_response'>): boolean {
  return status === 'error' && runs.at(-1)?.outcome === 'not_started'
}

function run(progress: Progress, event: EventOf<'run_start' | 'run_end'>): Partial<Progress> {
  const { runs } = progress
  if (event.type === 'run_start') {
    const isOurs = event.request !== null && progress.calls.has(event.request)
    return {
      runs: [...runs, { start: event.seq, command: event.command, exitCode: null, outcome: null }],
      own: isOurs ? event.run : progress.own,
    }
  }
  return {
    runs: runs.map((each) =>
      each.start === event.start
        ? { ...each, exitCode: event.exitCode, outcome: event.outcome }
        : each,
    ),
  }
}

function turn(progress: Progress, event: Event): Partial<Progress> {
  if (event.type === 'agent_start') return begun(progress, event)
  const { trigger } = progress
  if (trigger === null) return progress.hasAnswered ? goesOn(progress, event) : {}
  // A turn that was under way already has taken what we said.
  if (event.type === 'step_start' && event.takes.includes(trigger))
    return { turn: event.turn, step: event.seq }
  if (event.type === 'step_start' && event.turn === progress.turn) return { step: event.seq }
  if (event.type === 'step_end' && event.start === progress.step) return { step: null }
  if (event.type === 'agent_end' && event.turn === progress.turn) return { end: event }
  return {}
}

/** The turn whose question was answered. A plain no is its end, and that was the wish. */
function goesOn(progress: Progress, event: Event): Partial<Progress> {
  if (event.type === 'step_start') return { turn: event.turn, step: event.seq }
  if (event.type === 'step_end') return { step: null }
  if (event.type !== 'agent_end') return {}
  return isOwn(progress, event) ? { hasAnswered: false } : { end: event }
}

/** A turn about what we said, or about words that our command made and nobody typed. */
function begun(progress: Progress, event: EventOf<'agent_start'>): Partial<Progress> {
  const isOurs = isOwn(progress, event) || event.trigger === progress.trigger
  return isOurs ? { trigger: event.trigger, turn: event.seq } : {}
}
