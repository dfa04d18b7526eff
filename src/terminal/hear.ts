import { assertNever } from '../protocol/assert-never.ts'
import { act, type Effect, type Step, stay, andThen } from './effect.ts'
import type { Heard } from './heard.ts'
import { hearMark, inShell } from './levels.ts'
import { stirRun } from './run.ts'
import { needOf, runNeeds } from './needs.ts'
import { hearAdopted } from './replaced.ts'
import { endWithShell, finishRun, loseRun, notRun } from './run-life.ts'
import { endReason, hasUnsettled, mayType, topShell } from './select.ts'
import type { Moment } from './shell.ts'
import { hearClimb, hearPress } from './shell-press.ts'
import { hearExec, hearIdle, hearWork, shellWakes } from './shell-time.ts'
import type { Exit, Shell, TerminalState } from './state.ts'
import { isPrinting } from './track.ts'
import { hearOrder } from './orders.ts'

/** After Ctrl+C on a line that could not be entered, the prompt comes back at once if it ever does. */
const cleanMs = 1000
const interruptKey = '\x03'

/** The one fold of the terminal: nothing else ever changes what the shell is known to do. */
export function hear(state: TerminalState, heard: Heard): Step<TerminalState> {
  const step = change(state, heard)
  const isRestarted = step.effects.some(({ type }) => type === 'restart')
  if (!isRestarted || step.state.ending !== null) return step
  return { ...step, state: { ...step.state, ending: 'restarted' } }
}

function change(state: TerminalState, heard: Heard): Step<TerminalState> {
  const moment = { now: heard.now, head: state.head, stamp: state.stamp }
  switch (heard.type) {
    case 'mark':
      return hearMark(state, heard.mark, heard.now)
    case 'data':
      return hearData({ ...state, head: heard.head }, moment)
    case 'exit':
      return hearExit(state, heard.exit)
    case 'closed':
      return hearClosed(state)
    case 'uninjected':
      return hearUninjected(state, heard)
    case 'late':
      return inRun(state, heard.id, hearLate)
    case 'adopted':
      return inShell(state, topShell(state).level, (shell) =>
        hearAdopted(shell, heard.error, moment),
      )
    case 'worked':
      return inRun(state, heard.run, (shell) => hearWork(shell, heard.hasWorked, moment))
    case 'probed':
      return inShell(state, heard.level, (shell) => hearProbe(shell, heard, moment))
    case 'foreground':
      return hearForeground(state, heard)
    case 'key':
      return hearKeys(state, heard.keys, moment)
    case 'order':
      return hearOrder(state, heard.order, moment)
    case 'caught-up':
      return eachShell(state, caughtUp)
    case 'time':
      return eachShell(state, (shell) => shellWakes(shell, moment))
    default:
      return assertNever(heard)
  }
}

/** The innermost first: what runs in it ends before what it runs in. */
function eachShell(state: TerminalState, take: (shell: Shell) => Step<Shell>): Step<TerminalState> {
  return state.shells
    .toReversed()
    .reduce<Step<TerminalState>>(
      (step, { level }) => andThen(step, (next) => inShell(next, level, take)),
      stay(state),
    )
}

function hearData(state: TerminalState, { now }: Moment): Step<TerminalState> {
  const top = topShell(state)
  if (top.run === null || top.track === null || !isPrinting(top.track)) return stay(state)
  return inShell(state, top.level, (shell) => stirShell(shell, now, true))
}

function stirShell(shell: Shell, now: number, isOutput: boolean): Step<Shell> {
  if (shell.run === null) return stay(shell)
  const { run, effects } = stirRun(shell.run, now, isOutput)
  return { state: run === shell.run ? shell : { ...shell, run }, effects }
}

function hearProbe(
  shell: Shell,
  { why, probe }: Heard & { type: 'probed' },
  moment: Moment,
): Step<Shell> {
  if (why === 'idle') return hearIdle(shell, probe, moment)
  if (why === 'exec') return hearExec(shell, probe, moment)
  return why === 'climb' ? hearClimb(shell, probe) : hearPress(shell, { why, probe }, moment)
}

function inRun(
  state: TerminalState,
  id: string,
  take: (shell: Shell) => Step<Shell>,
): Step<TerminalState> {
  const shell = state.shells.find(({ run }) => run?.order.id === id)
  return shell === undefined ? stay(state) : inShell(state, shell.level, take)
}

/** The shell does not read: the command waits for that. */
function hearLate(shell: Shell): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null || track.loaded !== null) return stay(shell)
  const late: Shell = { ...shell, run: { ...run, isLate: true } }
  return act(late, { type: 'status', run: run.order.id, status: 'shell' })
}

function hearForeground(
  state: TerminalState,
  { run: id, foreground, now }: Heard & { type: 'foreground' },
): Step<TerminalState> {
  return inShell(state, topShell(state).level, (shell) => {
    if (shell.run?.order.id !== id || shell.track === null) return stay(shell)
    const { run, effects } = runNeeds(shell.run, needOf(shell.run, shell.track, foreground), now)
    return { state: { ...shell, run }, effects }
  })
}

function hearKeys(state: TerminalState, keys: string, { now }: Moment): Step<TerminalState> {
  const top = topShell(state)
  if (!mayType(top, keys)) return stay(state)
  const step = inShell(state, top.level, (shell) => stirShell(shell, now, false))
  return { state: step.state, effects: [{ type: 'type', text: keys }, ...step.effects] }
}

/** A command of ours did not reach the line editor, and none of it may stay there. */
function hearUninjected(
  state: TerminalState,
  { id, reason, isUnheard, isMoved, isWithdrawn, now }: Heard & { type: 'uninjected' },
): Step<TerminalState> {
  return inShell(state, topShell(state).level, (shell) => {
    const heard = isUnheard ? { ...shell, isUnheard } : shell
    if (shell.run?.order.id !== id) return stay(heard)
    // Nothing was entered, so nothing has to be cleared.
    if (isMoved || isWithdrawn) return finishRun(heard, { ...notRun(reason), isMoved })
    const failed = { why: `The command was not run: ${reason}.`, isMoved, until: now + cleanMs }
    const next = { ...heard, run: { ...shell.run, failed } }
    return act(next, { type: 'type', text: interruptKey })
  })
}

function hearExit(state: TerminalState, exit: Exit): Step<TerminalState> {
  const ended = eachShell({ ...state, exit }, (shell) => endWithShell(shell, exit))
  return andThen(ended, (next) => tellEnd(next, { reason: endReason(next, exit), ...exit }))
}

function tellEnd(
  state: TerminalState,
  { reason, code: exitCode, signal }: { reason: Ended['reason'] } & Pick<Exit, 'code' | 'signal'>,
): Step<TerminalState> {
  if (state.isEndTold || state.ending === 'left') return stay(state)
  const told = { type: 'shell-ended', reason, exitCode, signal } as const
  // With a run at stake the holder stays until its end is on disk.
  const isDone = !hasUnsettled(state) && state.ending !== 'closed'
  const effects: readonly Effect[] = isDone ? [{ type: 'end-holder' }] : []
  return act({ ...state, isEndTold: true }, { type: 'tell', told }, ...effects)
}

type Ended = Extract<Effect & { type: 'tell' }, { told: unknown }>['told'] & { type: 'shell-ended' }

function hearClosed(state: TerminalState): Step<TerminalState> {
  if (state.ending === 'left' || state.isEndTold) return stay({ ...state, ...over(state) })
  const gone = { code: null, signal: 'SIGHUP', time: 0 }
  if (state.ending !== null || state.exit !== null) return hearExit(state, state.exit ?? gone)
  const lost = eachShell({ ...state, exit: gone }, loseRun)
  return andThen(lost, (next) => tellEnd(next, { reason: 'lost', code: null, signal: null }))
}

/** Nothing more will be heard. */
function over({ exit }: TerminalState): Pick<TerminalState, 'exit'> {
  return { exit: exit ?? { code: null, signal: 'SIGHUP', time: 0 } }
}

function caughtUp(shell: Shell): Step<Shell> {
  const isAtPrompt = shell.phase === 'prompt'
  const next = { ...shell, typing: { ...shell.typing, isUnsure: !isAtPrompt } }
  return isAtPrompt ? act(next, { type: 'tell', told: { type: 'typed-over' } }) : stay(next)
}
