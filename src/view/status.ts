import { isAround, status, terminalRun } from '../log/open.ts'
import type { SessionStatus } from '../protocol/session-view.ts'
import { askOf } from './apply-ask.ts'
import type { Ask } from './entry.ts'
import type { View } from './view.ts'

/** What a status line needs. */
export interface Status {
  status: SessionStatus
  asks: readonly Ask[]
  /** Who may type into the terminal now. */
  driver: 'person' | 'model'
}

export function statusOf(view: View): Status {
  return {
    status: status(view.state),
    asks: view.state.asks.map(askOf),
    driver: driverOf(view),
  }
}

/** Before the terminal has said who drives, the runs say it: the model drives its own. */
function driverOf({ terminal, state }: View): Status['driver'] {
  if (terminal) return terminal.driver
  return terminalRun(state)?.source === 'model' ? 'model' : 'person'
}

/** Nothing is under way and nothing waits: the next input would be the next thing to happen. */
export function isQuiet({ state }: View): boolean {
  // What only holds an adopted shell waits for nobody.
  const around = state.runs.filter((run) => isAround(state, run)).map(({ request }) => request)
  const runs = state.runs.length - around.length
  const calls = state.calls.filter(({ request }) => !around.includes(request.seq)).length
  const waits = calls + runs + state.asks.length + state.queue.length
  return waits === 0 && state.turn === null && state.step === null && state.wanted === null
}
