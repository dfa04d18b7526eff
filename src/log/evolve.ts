import { assertNever } from '../protocol/assert-never.ts'
import type { ElicitationResponse } from '../protocol/ask.ts'
import type { ToolRequest, ToolResponse } from '../protocol/call.ts'
import type { Event } from '../protocol/event.ts'
import { limits } from '../protocol/limits.ts'
import type { Message } from '../protocol/message.ts'
import type { InputQueued } from '../protocol/queue.ts'
import type { RunEnd, RunStart } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import type { SessionStart, SessionUpdate } from '../protocol/session.ts'
import type { AgentEnd, StepEnd, StepStart, Usage } from '../protocol/turn.ts'
import { shellAdopt, shellExit, shellLeave, shellStart } from './evolve-shell.ts'
import { hiddenAfterRun, hiddenByMode } from './hidden.ts'
import { headCall } from './open.ts'
import { nextStamp, unjudged } from './stamp.ts'
import { type CallPhase, noUsage, type OpenCall, type SessionState } from './state.ts'

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
      return { epoch: { seq: event.seq, model: event.model, dialect: event.dialect } }
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
      return {
        turn: {
          seq: event.seq,
          purpose: event.purpose ?? null,
          trigger: event.trigger,
          steps: 0,
          usage: noUsage,
        },
        wanted: null,
      }
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
      return {
        asks: [...state.asks, event],
        calls: move(state, event.request, { phase: 'asked', ask: event.seq }),
      }
    case 'elicitation_response':
      return answered(state, event)
    case 'error':
      return event.code === 'compact_failed' ? { summary: null } : {}
    default:
      return assertNever(event)
  }
}

function sessionStart(event: SessionStart): Change {
  const { team, workspace, title, approval, at } = event
  return { team, workspace, title, approval, limits: event.limits, createdAt: at }
}

function sessionUpdate(state: SessionState, event: SessionUpdate): Change {
  return {
    title: event.title ?? state.title,
    approval: event.approval ?? state.approval,
    private: event.private ?? state.private,
    hidden: hiddenByMode(state, event),
    model: event.model ?? state.model,
    summary: event.next === undefined ? state.summary : null,
  }
}

function inputQueued(state: SessionState, event: InputQueued): Change {
  return { queue: [...state.queue, event], records: [...state.records, event.seq] }
}

function withdrawn(state: SessionState, queued: Seq): Change {
  const attached = state.attached.filter(({ prompt }) => prompt === queued)
  const gone = new Set([queued, ...attached.map(({ seq }) => seq)])
  const goingOn = state.runs.filter(({ seq }) => attached.some(({ run }) => run === seq))
  return {
    queue: state.queue.filter((input) => input.seq !== queued),
    records: state.records.filter((seq) => !gone.has(seq)),
    attached: state.attached.filter(({ prompt }) => prompt !== queued),
    dropped: [...state.dropped, ...goingOn.map(({ seq }) => seq)],
  }
}

function message(state: SessionState, event: Message): Change {
  if (event.role === 'user' || event.step === null)
    return event.inContext ? { records: [...state.records, event.seq] } : {}
  const { usage, witness } = event
  if (state.step === null) return {}
  return { step: { ...state.step, phase: 'calls', usage, witness } }
}

function agentEnd({ turn, summary }: SessionState, event: AgentEnd): Change {
  const { seq: end, reason } = event
  const isSummary = turn?.purpose === 'compact' && reason === 'done'
  return { turn: null, lastTurn: { end, reason }, summary: isSummary ? event.turn : summary }
}

function stepStart(state: SessionState, event: StepStart): Change {
  const taken = new Set(event.takes)
  const unseen: Change['step'] = {
    seq: event.seq,
    turn: event.turn,
    phase: 'asking',
    hasCalls: false,
    usage: noUsage,
    witness: { prefixBytes: 0, ok: true },
  }
  return {
    step: unseen,
    turn: state.turn && { ...state.turn, steps: event.step },
    queue: state.queue.filter((input) => !taken.has(input.seq)),
    results: state.results.filter((result) => !taken.has(result.seq)),
    records: state.records.filter((seq) => !taken.has(seq)),
    attached: state.attached.filter(({ seq }) => !taken.has(seq)),
    wanted: state.wanted !== null && taken.has(state.wanted) ? null : state.wanted,
  }
}

function stepEnd(state: SessionState, event: StepEnd): Change {
  const turn = state.turn && { ...state.turn, usage: addUsage(state.turn.usage, event.usage) }
  return { step: null, turn }
}

function toolRequest(state: SessionState, event: ToolRequest): Change {
  const at: CallPhase =
    event.meta.isClientInitiated && event.run !== undefined
      ? { phase: 'allowed', command: event.run.command, stamp: null }
      : unjudged(event)
  const step = event.step !== null && state.step ? { ...state.step, hasCalls: true } : state.step
  return { calls: [...state.calls, { request: event, at, moved: 0 }], step }
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

/** What became of a run whose call was answered before; it stays with the prompt it was for. */
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
    hidden: hiddenAfterRun(state, run, event),
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

function answered(state: SessionState, event: ElicitationResponse): Change {
  const ask = state.asks.find((open) => open.seq === event.request)
  if (ask === undefined) return {}
  const answer = { ask: ask.ask, by: event.by, outcome: event.outcome }
  const command = event.command ?? ask.command
  const after = ({ request }: OpenCall): CallPhase => {
    if (event.outcome !== 'allow') return unjudged(request, command)
    const stamp = request.meta.isClientInitiated ? null : ask.generation
    return { phase: 'allowed', command, stamp, mark: ask.mark }
  }
  return {
    asks: state.asks.filter((open) => open !== ask),
    answered: [...state.answered, answer].slice(-limits.answeredAsks),
    calls: state.calls.map((call) =>
      call.request.seq === ask.request ? { ...call, at: after(call) } : call,
    ),
  }
}

function move(state: SessionState, call: number, at: CallPhase): SessionState['calls'] {
  return state.calls.map((open) => (open.request.seq === call ? { ...open, at } : open))
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}
