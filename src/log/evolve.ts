import { assertNever } from '../base/assert-never.ts'
import type { ToolRequest, ToolResponse } from '../protocol/events/call.ts'
import type { Event } from '../protocol/events/event.ts'
import type { RunEnd, RunStart } from '../protocol/events/run.ts'
import type { Seq } from '../protocol/events/seq.ts'
import type { SessionStart, SessionUpdate } from '../protocol/events/session.ts'
import { asked, answered, revoked } from './evolve-asks.ts'
import {
  shellAdopt,
  shellExit,
  shellLeave,
  shellStart,
  hiddenAfterRun,
  hiddenByMode,
} from './evolve-shell.ts'
import {
  agentEnd,
  agentStart,
  inputQueued,
  message,
  stepEnd,
  stepStart,
  withdrawn,
} from './evolve-turn.ts'
import { newModel } from './meter.ts'
import { headCall, move, nextStamp, unjudged } from './open.ts'
import type { CallPhase, OpenCall, SessionState } from './state.ts'

/** The one fold of the log. Nothing else ever changes a session's state. */
export function evolve(state: SessionState, event: Event): SessionState {
  return { ...state, ...change(state, event), head: event.seq, updatedAt: event.at }
}

type Change = Partial<SessionState>

function change(state: SessionState, event: Event): Change {
  switch (event.type) {
    case 'session_start':
      return sessionStart(event)
    case 'session_update':
      return sessionUpdate(state, event)
    case 'epoch_start':
      return epochStart(state, event)
    case 'shell_start':
      return shellStart(state, event)
    case 'shell_exit':
      return shellExit(state, event)
    case 'shell_adopt':
      return shellAdopt(state, event)
    case 'shell_leave':
      return shellLeave(state, event)
    case 'input_queued':
      return inputQueued(state, event)
    case 'input_withdrawn':
      return withdrawn(state, event.queued)
    case 'message':
      return message(state, event)
    case 'agent_start':
      return agentStart(event)
    case 'agent_end':
      return agentEnd(state, event)
    case 'step_start':
      return stepStart(state, event)
    case 'step_end':
      return stepEnd(state, event)
    case 'tool_request':
      return toolRequest(state, event)
    case 'tool_response':
      return toolResponse(state, event)
    case 'run_start':
      return runStart(state, event)
    case 'run_end':
      return runEnd(state, event)
    case 'elicitation_request':
      return asked(state, event)
    case 'elicitation_response':
      return answered(state, event)
    case 'error':
      return event.code === 'compact_failed' ? { summary: null } : {}
    default:
      return assertNever(event)
  }
}

function sessionStart(event: SessionStart): Change {
  const { team, workspace, title, approval, limits, at } = event
  const isAttended = isAttendedFrom(event)
  return { team, workspace, title, approval, isAttended, limits, createdAt: at }
}

/** Nobody sits at a session that a program began for one question; such ones were once told by their mode. */
export function isAttendedFrom({ attended, approval }: SessionStart): boolean {
  return attended ?? approval !== 'refuse'
}

function epochStart({ meter }: SessionState, event: Event & { type: 'epoch_start' }): Change {
  const { seq, model, adapter, dialect } = event
  return { epoch: { seq, model, adapter, dialect }, meter: newModel(meter, event) }
}

function sessionUpdate(state: SessionState, event: SessionUpdate): Change {
  return {
    title: event.title ?? state.title,
    approval: event.approval ?? state.approval,
    private: event.private ?? state.private,
    hidden: hiddenByMode(state, event),
    model: event.model ?? state.model,
    summary: event.next === undefined ? state.summary : null,
    ...revoked(state, event),
  }
}

function toolRequest(state: SessionState, event: ToolRequest): Change {
  const at: CallPhase =
    isTyped(event) && event.run !== undefined
      ? { phase: 'allowed', command: event.run.command, stamp: null }
      : unjudged(event)
  const step = event.step !== null && state.step ? { ...state.step, hasCalls: true } : state.step
  return { calls: [...state.calls, { request: event, at, moved: 0, hadYes: false }], step }
}

/** A command that belongs to a prompt stands in a file: nobody here typed it. */
function isTyped({ meta, prompt }: ToolRequest): boolean {
  return meta.isClientInitiated && prompt === undefined
}

function toolResponse(state: SessionState, event: ToolResponse): Change {
  const call = state.calls.find((open) => open.request.seq === event.request)
  const closed: Change = {
    calls: state.calls.filter((open) => open !== call),
    ...(call && runGoesOn(state, call, event)),
  }
  if (call === undefined || !event.inContext) return closed
  if (call.request.step !== null)
    return {
      ...closed,
      results: [...state.results, { seq: event.seq, index: call.request.index }],
    }
  const { run, prompt } = call.request
  return {
    ...closed,
    records: [...state.records, event.seq],
    attached:
      prompt === undefined
        ? state.attached
        : [...state.attached, { prompt, seq: event.seq, request: call.request, run: runOf(call) }],
    wanted: run?.thenTurn ? event.seq : state.wanted,
  }
}

function runOf({ at }: OpenCall): Seq | null {
  return at.phase === 'running' ? at.run : null
}

/** Its call is answered, but the run itself has not ended. */
function runGoesOn(state: SessionState, { request, at }: OpenCall, answer: ToolResponse): Change {
  if (at.phase !== 'running') return {}
  if (answer.status === 'waiting') return { waiting: [...state.waiting, at.run] }
  const isDropped = request.prompt !== undefined && !answer.inContext
  return isDropped ? { dropped: [...state.dropped, at.run] } : {}
}

function runStart(state: SessionState, event: RunStart): Change {
  const runs = [...state.runs, event]
  const after = event.lane === 'terminal' ? { ...state, ...nextStamp(state) } : state
  const { stamp, calls } = after
  if (event.request === null)
    return { runs, stamp, calls, lastTyped: event.ptyFrom ?? state.lastTyped }
  return { runs, stamp, calls: move(after, event.request, { phase: 'running', run: event.seq }) }
}

/** The end of a run whose call was answered before; it stays with the prompt it was for. */
function laterNews({ records, attached }: SessionState, { seq, start }: RunEnd): Change {
  const answer = attached.find(({ run }) => run === start)
  return {
    records: [...records, seq],
    attached: answer
      ? [...attached, { prompt: answer.prompt, seq, request: null, run: null }]
      : attached,
  }
}

function runEnd(state: SessionState, event: RunEnd): Change {
  const run = state.runs.find((open) => open.seq === event.start)
  const ended: Change = {
    runs: state.runs.filter((open) => open !== run),
    waiting: state.waiting.filter((seq) => seq !== event.start),
    dropped: state.dropped.filter((seq) => seq !== event.start),
    ...(event.content !== null && laterNews(state, event)),
  }
  if (run === undefined || run.lane === 'background') return ended
  const { shell } = state
  const { stamp, calls } = nextStamp(state)
  return {
    ...ended,
    stamp,
    calls: afterRun({ ...state, calls }, run, event),
    hidden:
      run.private || state.hidden.length > 0 ? hiddenAfterRun(state, run, event) : state.hidden,
    isMute: event.outcome === 'ended' ? event.exitCode === null : state.isMute,
    shell: shell.phase === 'live' ? { ...shell, cwd: event.cwdAfter ?? shell.cwd } : shell,
  }
}

function afterRun(state: SessionState, run: RunStart, end: RunEnd): SessionState['calls'] {
  // Input that needed no yes was on its way to this program: what came of it is still reported.
  const head = headCall(state)
  if (head?.at.phase === 'unjudged' && head.request.run === undefined) {
    const { stamp } = state
    return move(state, head.request.seq, { phase: 'allowed', command: '', stamp })
  }
  // Unless its answer follows at once, a call whose run never started has to be judged anew.
  return state.calls.map((call) =>
    call.request.seq === run.request
      ? {
          ...call,
          at: unjudged(call.request, run.command),
          moved: call.moved + (end.moved ? 1 : 0),
        }
      : call,
  )
}
