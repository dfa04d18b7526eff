import { openCall } from '../log/open.ts'
import { answerCall } from './answer-call.ts'
import type { Append } from './append.ts'
import type { InputDone, RunWaits, TerminalBusy } from './report.ts'
import { inputOf } from './terminal-input.ts'

const waits = {
  waiting: 'it waits for input; answer it with <input>text</input> or stop it with <interrupt/>',
  secret: 'it waits for a secret, which only the user can type',
  screen: 'it has taken the screen; send it keys with <input> or stop it with <interrupt/>',
} as const

/**
 * A model's call is answered when its program needs somebody; the run goes on. A person sees the
 * program itself, so their call stays open until it ends.
 */
export function recordWaits(append: Append, report: RunWaits): void {
  const run = append.state.runs.find((open) => open.seq === report.run)
  const call = run?.request ? openCall(append.state, run.request) : undefined
  if (call === undefined || call.request.meta.isClientInitiated) return
  answerCall(append, call, {
    status: 'waiting',
    line: waits[report.state],
    output: report.output,
    ...(run && { command: run.command }),
  })
}

/** Nothing of the model's is typed into somebody else's program, and nothing waits for ever. */
export function recordBusy(append: Append, report: TerminalBusy): void {
  const run = append.state.runs.find((open) => open.seq === report.run)
  const call = openCall(append.state, report.call)
  if (run === undefined || call === undefined || call.request.step === null) return
  if (call.at.phase !== 'unjudged' && call.at.phase !== 'allowed') return
  const whose = run.source === 'model' ? 'your earlier command' : 'the user’s command'
  answerCall(append, call, {
    status: 'busy',
    line: `not run: ${whose} is still running in the terminal: ${run.command}`,
  })
}

export function recordInput(append: Append, report: InputDone): void {
  const call = openCall(append.state, report.call)
  if (call === undefined || inputOf(call.request) === null) return
  if (report.refused !== null)
    return answerCall(append, call, { status: 'error', line: `not sent: ${report.refused}` })
  const { state, output } = report
  const line =
    state === 'ended' ? 'the program has ended' : state === 'running' ? 'it goes on' : waits[state]
  answerCall(append, call, { status: 'done', line, output })
}
