import { assertNever } from '../../base/assert-never.ts'
import type { ElicitationRequest, Grade } from '../../protocol/events/ask.ts'
import type { CallStatus } from '../../protocol/events/call.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Meter, TurnEnd, Usage } from '../../protocol/events/turn.ts'
import { noUsage } from '../../log/state.ts'
import { exitCode } from '../exit-code.ts'
import type { Progress } from '../../client/session/turn-progress.ts'

/** Why we stopped waiting: the turn ended, or we did not wait for its end. */
export type Reason = TurnEnd | 'approval_needed' | 'timeout' | 'interrupted' | 'error'

/** The value `--output-format json` prints, and the last line of `stream-json` if no turn ended. */
export interface TurnResult {
  type: 'result'
  session: SessionId | null
  reason: Reason
  text: string
  /** The model's thoughts, a reply each; `ms` is null where nobody measured them. */
  thoughts: Progress['thoughts']
  steps: number
  usage: Usage
  /** US dollars for the turn; null where not every price is known. */
  usd: number | null
  /** How full the model is, in tokens, and what the session used in all; null where nobody could say. */
  meter: Pick<Meter, 'context' | 'size' | 'spent'> | null
  runs: readonly { command: string; exitCode: number | null }[]
  error: { code: string; message: string } | null
  ask: {
    id: string
    command: string
    reasons: readonly string[]
    /** Null where nobody can say, and for what is no command. */
    grade: Grade | null
    /** The rule that a yes can make, in words. */
    offer: string | null
  } | null
}

export function resultOf(session: SessionId, progress: Progress, cut: Reason | null): TurnResult {
  const { end, fault } = progress
  const ask = progress.asks[0] ?? null
  return {
    type: 'result',
    session,
    reason: cut ?? end?.reason ?? reasonOf(progress.status),
    text: progress.text,
    thoughts: progress.thoughts,
    ...usedIn(end),
    meter: null,
    runs: progress.runs.map(({ command, exitCode }) => ({ command, exitCode })),
    error: fault && { code: fault.code, message: fault.message },
    ask: ask && askOf(ask),
  }
}

function usedIn(end: Progress['end']): Pick<TurnResult, 'steps' | 'usage' | 'usd'> {
  if (end === null) return { steps: 0, usage: noUsage, usd: null }
  return { steps: end.steps, usage: end.usage, usd: end.usd ?? null }
}

function askOf(asked: ElicitationRequest): TurnResult['ask'] {
  const { ask: id, command, reasons, grade = null, offer } = asked
  return { id, command, reasons, grade, offer: offer?.words ?? null }
}

/** The reason for a command that was typed instead of a prompt. */
function reasonOf(status: CallStatus | null): Reason {
  switch (status) {
    case null:
    case 'done':
    case 'waiting':
    case 'busy':
      return 'done'
    case 'error':
    case 'lost':
      return 'failed'
    case 'cancelled':
    case 'skipped':
      return 'aborted'
    case 'denied':
      return 'declined'
    case 'timeout':
      return 'timeout'
    default:
      return assertNever(status)
  }
}

/** Even a start that failed ends in a result for those who parse the output. */
export function failedResult(message: string): TurnResult {
  return {
    type: 'result',
    session: null,
    reason: 'error',
    text: '',
    thoughts: [],
    steps: 0,
    usage: noUsage,
    usd: null,
    meter: null,
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
