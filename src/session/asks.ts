import type { ElicitationRequest } from '../protocol/events/ask.ts'
import type { By } from '../protocol/events/event-base.ts'
import { openCall } from '../log/open.ts'
import type { OpenCall } from '../log/state.ts'
import { answerCall, type Append, system } from './append.ts'

type Question = Pick<
  ElicitationRequest,
  | 'kind'
  | 'request'
  | 'command'
  | 'cwd'
  | 'mark'
  | 'grade'
  | 'causes'
  | 'offer'
  | 'fingerprint'
  | 'settings'
> & {
  reasons: readonly string[]
  /** The command without its wrappers, if it has any. */
  effective?: string
}

/** Asks a person about a call, which waits for the answer; where nobody is there to give one, it is denied. */
export function openAsk(append: Append, question: Question): void {
  const call = openCall(append.state, question.request)
  if (!append.state.isAttended && call !== undefined) return denyUnattended(append, call, question)
  const { command, reasons } = question
  append.add({
    effective: command,
    ...question,
    type: 'elicitation_request',
    by: system,
    ask: `ask-${append.id()}`,
    reasons: [...reasons],
    generation: append.state.stamp,
  })
}

function denyUnattended(append: Append, call: OpenCall, { reasons, grade }: Question): void {
  const { read, act, run, step } = call.request
  const why = [...reasons, 'nobody is here to ask']
  const line = `not ${read ? 'read' : act ? 'sent' : 'run'}: ${why.join('; ')}`
  const verdict = { decision: 'deny', ...(grade && { grade }), reasons: why } as const
  answerCall(append, call, { status: 'denied', line, verdict })
  if (run !== undefined && step !== null) skipRest(append, notRun, 'skipped')
}

export const notRun = 'skipped: an earlier command of this reply was not run'

/** Closes those of a reply's calls that have not started. */
export function skipRest(append: Append, line: string, status: 'skipped' | 'cancelled'): void {
  const { step, calls } = append.state
  for (const call of calls) {
    if (call.request.step !== step?.seq || call.at.phase === 'running') continue
    voidAsk(append, call)
    answerCall(append, call, { status, line })
  }
}

/** A question whose call ends otherwise is closed unanswered. */
export function voidAsk(append: Append, call: OpenCall, by: By = system): void {
  if (call.at.phase !== 'asked') return
  const { ask: seq } = call.at
  const ask = append.state.asks.find((open) => open.seq === seq)
  if (ask === undefined) return
  append.add({ type: 'elicitation_response', by, ask: ask.ask, request: seq, outcome: 'void' })
}
