import type { ShellReport } from '../protocol/events/shell.ts'
import type { Effect } from './effect.ts'
import { endWithShell, finishRun, notRun } from './shell/run.ts'
import type { Exit, Shell, TerminalState } from './state.ts'
import { act, andThen, inEachShell, type Step, stay } from './shells.ts'

type Ended = ShellReport & { type: 'shell-ended' }

/** The shell has ended, and everything that ran in it. */
export function hearExit(state: TerminalState, exit: Exit): Step<TerminalState> {
  const ended = inEachShell({ ...state, exit }, (shell) => endWithShell(shell, exit))
  return andThen(ended, (next) => reportEnd(next, { reason: endReason(next, exit), ...exit }))
}

/** The holder is gone, or we left it: nothing more will be heard. */
export function hearClosed(state: TerminalState): Step<TerminalState> {
  const gone = { code: null, signal: 'SIGHUP', time: 0 }
  if (state.ending === 'left' || state.isEndReported)
    return stay({ ...state, exit: state.exit ?? gone })
  if (state.ending !== null || state.exit !== null) return hearExit(state, state.exit ?? gone)
  const lost = inEachShell({ ...state, exit: gone }, loseRun)
  return andThen(lost, (next) => reportEnd(next, { reason: 'lost', code: null, signal: null }))
}

function loseRun(shell: Shell): Step<Shell> {
  if (shell.run === null) return stay(shell)
  if (shell.run.awaits !== null) return finishRun(shell, notRun('the shell has ended'))
  return finishRun(shell, { type: 'lost', why: 'The connection to the shell was lost.' })
}

function reportEnd(
  state: TerminalState,
  { reason, code: exitCode, signal }: Pick<Ended, 'reason'> & Pick<Exit, 'code' | 'signal'>,
): Step<TerminalState> {
  if (state.isEndReported || state.ending === 'left') return stay(state)
  const report: Ended = { type: 'shell-ended', reason, exitCode, signal }
  // With a run at stake the holder stays until its end is on disk.
  const isDone = !hasUnsettled(state) && state.ending !== 'closed'
  const effects: readonly Effect[] = isDone ? [{ type: 'end-holder' }] : []
  return act({ ...state, isEndReported: true }, { type: 'report', report }, ...effects)
}

function endReason({ ending }: TerminalState, { signal }: Exit): Ended['reason'] {
  if (ending !== null && ending !== 'left') return ending
  return signal === null ? 'exited' : 'killed'
}

/** A run's end is not on disk yet. */
function hasUnsettled({ shells, gone }: TerminalState): boolean {
  return [...shells, ...gone.map(({ shell }) => shell)].some(({ run, last }) => run ?? last)
}
