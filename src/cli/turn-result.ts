import { assertNever } from '../protocol/assert-never.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { TurnEnd, Usage } from '../protocol/turn.ts'
import { exitCode } from './exit-code.ts'
import type { Progress } from './turn-progress.ts'

/** Why we stopped waiting: the turn ended, or we did not wait for its end. */
export type Reason = TurnEnd | 'approval_needed' | 'timeout' | 'interrupted' | 'error'

/** What `--output-format json` prints, and the last line of `stream-json` if no turn ended. */
export interface TurnResult {
  type: 'result'
  session: SessionId | null
  reason: Reason
  text: string
  steps: number
  usage: Usage
  runs: readonly { command: string; exitCode: number | null }[]
  error: { code: string; message: string } | null
  ask: { id: string; command: string; reasons: readonly string[] } | null
}

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export function resultOf(session: SessionId, progress: Progress, cut: Reason | null): TurnResult {
  const { end, fault, ask } = progress
  return {
    type: 'result',
    session,
    reason: cut ?? end?.reason ?? 'done',
    text: progress.text,
    steps: end?.steps ?? 0,
    usage: end?.usage ?? noUsage,
    runs: progress.runs.map(({ command, exitCode }) => ({ command, exitCode })),
    error: fault && { code: fault.code, message: fault.message },
    ask: ask && { id: ask.ask, command: ask.command, reasons: ask.reasons },
  }
}

/** Even a start that failed ends in a result for those who parse the output. */
export function failedResult(message: string): TurnResult {
  return {
    type: 'result',
    session: null,
    reason: 'error',
    text: '',
    steps: 0,
    usage: noUsage,
    runs: [],
    error: { code: 'error', message },
    ask: null,
  }
}

/** Keys and settings that a person has to put right; trying again will not help. */
const configCodes = /^model_(auth|config)/

export function exitCodeOf({ reason, error }: TurnResult): number {
  switch (reason) {
    case 'done':
      return exitCode.ok
    case 'failed':
    case 'error':
      return error && configCodes.test(error.code) ? exitCode.config : exitCode.error
    case 'aborted':
      return exitCode.error
    case 'step_limit':
    case 'context_full':
      return exitCode.limit
    case 'declined':
    case 'approval_needed':
      return exitCode.approval
    case 'timeout':
      return exitCode.timeout
    case 'interrupted':
      return exitCode.interrupted
    default:
      return assertNever(reason)
  }
}
