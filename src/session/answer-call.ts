import type { By } from '../protocol/by.ts'
import type { CallStatus } from '../protocol/call.ts'
import { commandOf } from '../log/open.ts'
import type { OpenCall } from '../log/state.ts'
import { type Append, system } from './append.ts'
import type { Captured } from './clip.ts'
import { commandRecord, inputRecord, nothing, readRecord } from './record-text.ts'
import { describeAct } from './terminal-act.ts'

export interface CallAnswer {
  status: CallStatus
  /** The status line: what became of it, in a few words. */
  line: string
  output?: Captured
  /** The command as it really ran, if a person edited it. */
  command?: string
  /** Though it has a run: no shell ever saw it. */
  isNotRun?: boolean
}

/** Closes a call with the record the model will read, frozen from here on. */
export function answerCall(append: Append, call: OpenCall, answer: CallAnswer): void {
  const { request } = call
  const isPrivate = request.run?.private ?? false
  const hasRun = call.at.phase === 'running' && !answer.isNotRun
  const line = request.meta.isClientInitiated
    ? `${answer.line}; ${request.read ? 'mentioned' : hasRun ? 'run' : 'asked for'} by the user`
    : answer.line
  const recordOf = () => {
    const output = answer.output ?? nothing
    if (request.read) return readRecord(request.read.path, output, line)
    if (request.act) return inputRecord(describeAct(request.act), output, line)
    return commandRecord(answer.command ?? commandOf(call) ?? request.args, output, line)
  }
  append.add(
    {
      type: 'tool_response',
      meta: request.meta,
      request: request.seq,
      status: answer.status,
      content: isPrivate ? '' : recordOf(),
      inContext: !isPrivate,
    },
    system,
  )
}

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
  append.add({ type: 'elicitation_response', ask: ask.ask, request: seq, outcome: 'void' }, by)
}
