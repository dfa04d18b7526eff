import type { ToolRequest } from '../protocol/events/call.ts'
import type { RunStart } from '../protocol/events/run.ts'
import type { Seq } from '../protocol/events/seq.ts'
import type { SessionStatus } from '../protocol/http/session-view.ts'
import type { CallPhase, OpenCall, SessionState } from './state.ts'

export function openCall(state: SessionState, seq: Seq): OpenCall | undefined {
  return state.calls.find((call) => call.request.seq === seq)
}

/** The shared terminal takes one run at a time, in its innermost shell. */
export function terminalRun(state: SessionState): RunStart | undefined {
  return state.runs.find((run) => run.lane === 'terminal' && !isAround(state, run))
}

/**
 * Whether a shell inside this run was adopted: the run goes on, and the terminal waits for it no
 * longer.
 */
export function isAround({ levels }: SessionState, { seq }: Pick<RunStart, 'seq'>): boolean {
  return levels.some(({ run }) => run === seq)
}

/** The command that started the adopted shell, or null. */
export function adoptedBy(state: Pick<SessionState, 'levels' | 'isReplaced'>): string | null {
  const { levels, isReplaced } = state
  return levels.at(-1)?.command ?? (isReplaced ? 'exec' : null)
}

/** The call of the open reply that is next: calls of one reply are done in order. */
export function headCall(state: SessionState): OpenCall | undefined {
  const { step } = state
  if (step === null) return undefined
  return state.calls.find((call) => call.request.step === step.seq)
}

/** The command of a call, as a person has left it; undefined for a call that runs nothing. */
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

/** A one-shot run, beside the terminal. */
export function isBeside({ request }: OpenCall): boolean {
  return request.run?.lane === 'background'
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

/** Whether a prompt is held: nothing said now can be delivered before it. */
export function hasHeld(state: SessionState): boolean {
  return state.queue.some((input) => isHeld(state, input.seq))
}

/**
 * The records that the next step takes, in the order of the log. Behind a held prompt it takes only
 * those that belong to an earlier one.
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

/**
 * Where, and in what state, a command would run may be another now. A yes for what was before is over with it: what
 * had one and has not started is judged anew.
 */
export function nextStamp({ stamp, calls }: SessionState): Pick<SessionState, 'stamp' | 'calls'> {
  return { stamp: stamp + 1, calls: calls.some(isBound) ? calls.map(unbound) : calls }
}

/** Input for a program is not bound: it is on its way already, and its outcome is still told. */
export function isBound({ request, at }: OpenCall): boolean {
  return at.phase === 'allowed' && at.stamp !== null && request.run !== undefined
}

/** A yes that was for one state of the shell alone is none any more: the call is judged anew. */
export function unbound(call: OpenCall): OpenCall {
  const { request, at } = call
  return at.phase === 'allowed' && isBound(call)
    ? { ...call, at: unjudged(request, at.command) }
    : call
}

/** The phase of a call that is to be judged, with the command as a person edited it. */
export function unjudged({ run }: ToolRequest, command?: string): CallPhase {
  const isEdited = run !== undefined && command !== undefined && command !== run.command
  return { phase: 'unjudged', edited: isEdited ? command : null }
}

/** Names the mode, the rules and the settings that people agreed to: a verdict counts while they are what they were. */
export function termsOf({
  approval,
  rules,
  settings,
}: Pick<SessionState, 'approval' | 'rules' | 'settings'>): string {
  const agreed = settings.length > 0 ? [JSON.stringify(settings)] : []
  return [approval, ...rules.map(({ id }) => id), ...agreed].join(' ')
}

/** The open calls, with one in another phase. */
export function move({ calls }: SessionState, call: Seq, at: CallPhase): SessionState['calls'] {
  return calls.map((open) => (open.request.seq === call ? { ...open, at } : open))
}
