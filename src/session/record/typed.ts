import { nothing } from '../../base/text.ts'
import type { By } from '../../protocol/events/event-base.ts'
import type { RunStart } from '../../protocol/events/run.ts'
import { isAround, terminalRun } from '../../log/open.ts'
import type { Append } from '../append.ts'
import type { TypedEnded, TypedOver, TypedStarted } from './report.ts'
import { recordRunEnded, unknownEnd } from './run-end.ts'

/** The person at the keyboard; the terminal does not know which client it was. */
const person: By = { kind: 'user' }

type Typed = Pick<TypedStarted, 'generation' | 'command' | 'ptyFrom'>

/** A typed command runs already: it is recorded when it is seen, and never held back. */
export function recordTypedStarted(append: Append, typed: Typed): void {
  const { state } = append
  if (state.shell.phase !== 'live' || typed.generation !== state.shell.generation) return
  if (typed.ptyFrom <= state.lastTyped) return
  // It goes on where an earlier one was thought to be: that one's end was not heard.
  loseTyped(append)
  if (terminalRun(append.state)) return
  append.add({
    type: 'run_start',
    by: person,
    run: `sh-${append.id()}`,
    request: null,
    command: typed.command,
    source: 'typed',
    lane: 'terminal',
    private: state.private,
    generation: typed.generation,
    timeoutMs: 0,
    cwd: state.shell.cwd,
    ptyFrom: typed.ptyFrom,
  })
}

/** A typed run whose start was missed, because no server was there, is recorded with its end. */
export function recordTypedEnded(append: Append, report: TypedEnded): void {
  recordTypedStarted(append, report)
  const run = append.state.runs.find((open) => isTyped(open) && open.ptyFrom === report.ptyFrom)
  if (run === undefined) return
  const { generation: _, command: __, ...end } = report
  recordRunEnded(append, {
    ...end,
    type: 'run-ended',
    run: run.seq,
    outcome: 'ended',
    signal: null,
    output: nothing,
  })
}

export function recordTypedOver(append: Append, { generation }: TypedOver): void {
  if (generation === append.state.shell.generation) loseTyped(append)
}

function loseTyped(append: Append): void {
  const { state } = append
  const run = state.runs.find((open) => isTyped(open) && !isAround(state, open))
  if (run) recordRunEnded(append, { ...unknownEnd, run: run.seq, outcome: 'lost' })
}

function isTyped({ source }: RunStart): boolean {
  return source === 'typed'
}
