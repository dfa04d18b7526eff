import type { Message } from '../protocol/events/message.ts'
import type { InputQueued } from '../protocol/events/queue.ts'
import type { Seq } from '../protocol/events/seq.ts'
import type { AgentEnd, AgentStart, StepEnd, StepStart } from '../protocol/events/turn.ts'
import { costOf, countReply, addUsage } from './meter.ts'
import { noUsage, type OpenTurn, type SessionState } from './state.ts'

type Change = Partial<SessionState>

export function inputQueued(state: SessionState, event: InputQueued): Change {
  return { queue: [...state.queue, event], records: [...state.records, event.seq] }
}

export function withdrawn(state: SessionState, queued: Seq): Change {
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

export function message(state: SessionState, event: Message): Change {
  if (event.role === 'user' || event.step === null) {
    if (!event.inContext) return {}
    const isWanted = event.role === 'user' && event.thenTurn
    return {
      records: [...state.records, event.seq],
      ...(isWanted && { wanted: event.seq }),
    }
  }
  const { usage, retried, witness } = event
  const meter = countReply(state.meter, event)
  const counted = { meter, turn: state.turn && withCost(state.turn, costOf(event, meter.price)) }
  if (state.step === null) return counted
  const step = { ...state.step, phase: 'calls' as const, usage, witness }
  return { ...counted, step: retried ? { ...step, retried } : step }
}

export function agentStart({ seq, purpose, trigger }: AgentStart): Change {
  const turn = { seq, purpose: purpose ?? null, trigger, steps: 0, usage: noUsage, usd: 0 }
  return { turn, wanted: null }
}

export function agentEnd({ turn, summary }: SessionState, event: AgentEnd): Change {
  const { seq: end, reason } = event
  const isSummary = turn?.purpose === 'compact' && reason === 'done'
  return { turn: null, lastTurn: { end, reason }, summary: isSummary ? event.turn : summary }
}

export function stepStart(state: SessionState, event: StepStart): Change {
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

export function stepEnd(state: SessionState, event: StepEnd): Change {
  const all = addUsage(event.usage, state.step?.retried ?? noUsage)
  const turn = state.turn && { ...state.turn, usage: addUsage(state.turn.usage, all) }
  return { step: null, turn }
}

function withCost(turn: OpenTurn, usd: number | null): OpenTurn {
  return { ...turn, usd: turn.usd === null || usd === null ? null : turn.usd + usd }
}
