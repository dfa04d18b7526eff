import { constants } from 'node:os'
import type { Event } from '../../protocol/events/event.ts'
import type { Head, Seq } from '../../protocol/events/seq.ts'
import type { EventOf } from '../../view/fold/view.ts'
import { exitCode } from '../exit-code.ts'

/** A command that was submitted, as one who waits for its end sees it. */
export interface RunProgress {
  /** The events that submitting it caused; our call is among them. */
  span: { first: Seq; head: Head }
  call: Seq | null
  start: EventOf<'run_start'> | null
  end: EventOf<'run_end'> | null
  answer: EventOf<'tool_response'> | null
  head: Head
}

export function beginRun(span: RunProgress['span']): RunProgress {
  return { span, call: null, start: null, end: null, answer: null, head: 0 }
}

export function advanceRun(progress: RunProgress, event: Event): RunProgress {
  return { ...progress, ...change(progress, event), head: event.seq }
}

function change({ span, call, start }: RunProgress, event: Event): Partial<RunProgress> {
  if (event.type === 'tool_request')
    return event.seq >= span.first && event.seq <= span.head ? { call: event.seq } : {}
  if (call === null) return {}
  // A run that never reached the shell may be tried again.
  if (event.type === 'run_start' && event.request === call) return { start: event, end: null }
  if (event.type === 'run_end' && event.start === start?.seq) return { end: event }
  if (event.type === 'tool_response' && event.request === call) return { answer: event }
  return {}
}

/** An answered call may still run: it waits for input, or is being stopped. */
export function isRunOver({ span, call, start, end, answer, head }: RunProgress): boolean {
  if (end && end.outcome !== 'not_started') return true
  if (answer && (!start || end)) return true
  return call === null && head >= span.head
}

/** The code the command itself would have ended with, had it run here. */
export function runExitCode({ end, answer }: RunProgress): number {
  if (answer?.status === 'timeout') return exitCode.timeout
  if (!end) return exitCode.error
  return end.exitCode ?? signalCode(end.signal) ?? exitCode.error
}

function signalCode(signal: string | null): number | null {
  const entry = Object.entries(constants.signals).find(([name]) => name === signal)
  return entry ? 128 + entry[1] : null
}

/** A word for the person when the exit code alone would not tell. */
export function runRemark({ call, end, answer }: RunProgress): string | null {
  if (call === null) return 'there was nothing to run.'
  if (end?.outcome === 'lost')
    return 'the shell was lost while the command ran; its end is unknown.'
  if (end?.outcome === 'shell_exited') return 'the shell ended.'
  if (answer?.status === 'timeout') return 'the command was silent for too long and was stopped.'
  if (!end || end.outcome === 'not_started') return `the command did not run (${answer?.status}).`
  return null
}
