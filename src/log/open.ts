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

/** Something that the edge does: what a person’s command asks for, or a skill that the model wants. */
export function isCommand({ request }: OpenCall): boolean {
  if (request.skill !== undefined) return true
  return request.meta.isClientInitiated && request.run === undefined
}

/** A prompt waits for what it mentions: it is delivered when all of that has been read. */
export function isHeld(state: SessionState, prompt: Seq): boolean {
  return state.calls.some((call) => call.request.prompt === prompt)
}

/** Nothing that is said now can be delivered before it. */
export function hasHeld(state: SessionState): boolean {
  return state.queue.some((input) => isHeld(state, input.seq))
}

/** What the next step takes, in the order of the log: nothing that stands behind a held prompt. */
export function deliverable(state: SessionState): readonly Seq[] {
  const held = state.records.findIndex((seq) => isHeld(state, seq))
  return held === -1 ? state.records : state.records.slice(0, held)
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
