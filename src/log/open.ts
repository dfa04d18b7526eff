import type { RunStart } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import type { SessionStatus } from '../protocol/session-view.ts'
import type { OpenCall, SessionState } from './state.ts'

export function openCall(state: SessionState, seq: Seq): OpenCall | undefined {
  return state.calls.find((call) => call.request.seq === seq)
}

/** The shared terminal takes one run at a time. */
export function terminalRun(state: SessionState): RunStart | undefined {
  return state.runs.find((run) => run.lane === 'terminal')
}

/** The call of the open reply that is next: calls of one reply are done in order. */
export function headCall(state: SessionState): OpenCall | undefined {
  const { step } = state
  if (step === null) return undefined
  return state.calls.find((call) => call.request.step === step.seq)
}

/** Calls that only wait for the terminal, oldest first. */
export function waitingCalls(state: SessionState): readonly OpenCall[] {
  return state.calls.filter(
    (call) => call.at.phase === 'allowed' && call.request.run?.lane === 'terminal',
  )
}

/** A person asked for something that the edge does: neither a run nor an act of the model’s. */
export function isCommand({ request }: OpenCall): boolean {
  return request.meta.isClientInitiated && request.run === undefined
}

/** After an abort, what the model started is stopped; what a person started goes on. */
export function isStopped(state: SessionState, call: OpenCall): boolean {
  const { step } = call.request
  return step !== null && (state.turn === null || state.step?.seq !== step)
}

export function status(state: SessionState): SessionStatus {
  if (state.asks.length > 0) return 'asking'
  if (state.runs.length > 0) return 'running'
  return state.turn === null ? 'idle' : 'thinking'
}
