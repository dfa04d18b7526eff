import type { RunStart } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import type { SessionStatus } from '../protocol/session-view.ts'
import type { OpenCall, SessionState } from './state.ts'

export function openCall(state: SessionState, seq: Seq): OpenCall | undefined {
  return state.calls.find((call) => call.request.seq === seq)
}

/** The shared terminal takes one run at a time, in its innermost shell. */
export function terminalRun(state: SessionState): RunStart | undefined {
  return state.runs.find((run) => run.lane === 'terminal' && !isAround(state, run))
}

/** A shell that runs in it was adopted: it goes on, and is no longer what the terminal waits for. */
export function isAround({ levels }: SessionState, { seq }: Pick<RunStart, 'seq'>): boolean {
  return levels.some(({ run }) => run === seq)
}

/** What the shell that commands run in was started by, if it is not the one that the session started. */
export function adoptedBy({
  levels,
  isReplaced,
}: Pick<SessionState, 'levels' | 'isReplaced'>): string | null {
  return levels.at(-1)?.command ?? (isReplaced ? 'exec' : null)
}

/** The call of the open reply that is next: calls of one reply are done in order. */
export function headCall(state: SessionState): OpenCall | undefined {
  const { step } = state
  if (step === null) return undefined
  return state.calls.find((call) => call.request.step === step.seq)
}

/** What would run, as a person has left it; undefined of what runs nothing. */
export function commandOf({ request: { run }, at }: OpenCall): string | undefined {
  if (run === undefined) return undefined
  if (at.phase === 'allowed') return at.command
  return at.phase === 'unjudged' ? (at.edited ?? run.command) : run.command
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

/**
 * What the next step takes, in the order of the log: of what stands behind a held prompt only that
 * which belongs to an earlier one.
 */
export function deliverable(state: SessionState): readonly Seq[] {
  const { records, attached } = state
  const held = records.findIndex((seq) => isHeld(state, seq))
  if (held === -1) return records
  const before = new Set(records.slice(0, held))
  const theirs = new Set(attached.flatMap(({ prompt, seq }) => (before.has(prompt) ? [seq] : [])))
  return records.filter((seq) => before.has(seq) || theirs.has(seq))
}

/** After an abort, what the model started is stopped; what a person started goes on. */
export function isStopped(state: SessionState, call: OpenCall): boolean {
  const { step } = call.request
  return step !== null && (state.turn === null || state.step?.seq !== step)
}

export function status(state: SessionState): SessionStatus {
  if (state.asks.length > 0) return 'asking'
  if (state.runs.some((run) => !isAround(state, run))) return 'running'
  return state.turn === null ? 'idle' : 'thinking'
}
