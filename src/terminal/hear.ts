import { assertNever } from '../base/assert-never.ts'
import type { Effect } from './effect.ts'
import { hearClosed, hearExit } from './exit.ts'
import type { Incoming, Moment, Order, Mark } from './incoming.ts'
import { resumeRun } from './resume.ts'
import {
  isOver,
  mayType,
  topShell,
  act,
  inEachShell,
  inRun,
  inShell,
  inShellOf,
  type Step,
  stay,
} from './shells.ts'
import { changeNeed, needOf } from './shell/needs.ts'
import { adoptReplaced, enterShell, hearAdopted, leaveShells } from './shell/nested.ts'
import { refuseRun, type RunOrder } from './shell/run.ts'
import { hearLate, hearUninjected, orderRun, shellHears } from './shell/shell.ts'
import { isPrinting } from './shell/track.ts'
import type { Shell, TerminalState } from './state.ts'
import { keepRun, stirRun } from './time/deadlines.ts'
import { hearExec, hearIdle } from './time/idle.ts'
import { press } from './time/press.ts'
import { hearClimb, hearPress, hearSignal, stopRun } from './time/stop.ts'
import { hearWork, wakeShell } from './time/wake.ts'

/** The one fold of the terminal: nothing else ever changes what the shell is known to do. */
export function hear(state: TerminalState, incoming: Incoming): Step<TerminalState> {
  const step = change(state, incoming)
  const isRestarted = step.effects.some(({ type }) => type === 'restart')
  if (!isRestarted || step.state.ending !== null) return step
  return { ...step, state: { ...step.state, ending: 'restarted' } }
}

function change(state: TerminalState, incoming: Incoming): Step<TerminalState> {
  const moment = { now: incoming.now, head: state.head, stamp: state.stamp }
  const { level } = topShell(state)
  switch (incoming.type) {
    case 'mark':
      return hearMark(state, incoming.mark, incoming.now)
    case 'data':
      return hearData({ ...state, head: incoming.head }, moment)
    case 'exit':
      return hearExit(state, incoming.exit)
    case 'closed':
      return hearClosed(state)
    case 'uninjected':
      return inShell(state, level, (shell) => hearUninjected(shell, incoming))
    case 'late':
      return inShellOf(state, incoming.id, hearLate)
    case 'adopted':
      return inShell(state, level, (shell) => hearAdopted(shell, incoming.error, moment))
    case 'worked':
      return inShellOf(state, incoming.run, (shell) => hearWork(shell, incoming.hasWorked, moment))
    case 'probed':
      return inShell(state, incoming.level, (shell) => hearProbe(shell, incoming, moment))
    case 'foreground':
      return inShell(state, level, (shell) => hearForeground(shell, incoming))
    case 'key':
      return hearKeys(state, incoming.keys, moment)
    case 'order':
      return hearOrder(state, incoming.order, moment)
    case 'caught-up':
      return inEachShell(state, caughtUp)
    case 'time':
      return inEachShell(state, (shell) => wakeShell(shell, moment))
    default:
      return assertNever(incoming)
  }
}

function hearOrder(state: TerminalState, order: Order, moment: Moment): Step<TerminalState> {
  const { level } = topShell(state)
  switch (order.type) {
    case 'run':
      return hearRun(state, order.run, moment)
    case 'resume':
      return resumeRun(state, order, moment)
    case 'settle':
      return settle(state, order.id)
    case 'stop':
      return inShellOf(state, order.id, (shell) => stopRun(shell, moment))
    case 'interrupt':
      return inShell(state, level, (shell) => press(shell, moment))
    case 'signal':
      return hearSignal(state, order.signal, moment)
    case 'replaced':
      return inShell(state, level, adoptReplaced)
    case 'adopt':
      return inShell(state, level, (shell) => stay({ ...shell, replaced: null }))
    case 'drive':
      return inShell(state, level, (shell) =>
        inRun(shell, (run) => stay({ ...run, isTaken: order.driver === 'person' })),
      )
    case 'keep':
      return inShell(state, level, (shell) => inRun(shell, keepRun))
    case 'end':
      return stay({ ...state, ending: order.how })
    default:
      return assertNever(order)
  }
}

/** Marks after which a command may run elsewhere, or in another state. */
const moving: ReadonlySet<Mark['kind']> = new Set([
  'output-start',
  'output-end',
  'integrated',
  'left',
])

function hearMark(before: TerminalState, mark: Mark, now: number): Step<TerminalState> {
  const state: TerminalState = {
    ...before,
    head: Math.max(before.head, mark.offset),
    stamp: moving.has(mark.kind) ? mark.seq : before.stamp,
  }
  const moment = { now, head: state.head, stamp: state.stamp }
  if (mark.kind === 'left') return leaveShells(state, mark, moment)
  if (mark.kind === 'integrated') return enterShell(state, mark, moment)
  return inShell(state, mark.level, (shell) => shellHears(shell, mark, moment))
}

function hearData(state: TerminalState, { now }: Moment): Step<TerminalState> {
  const top = topShell(state)
  if (top.run === null || top.track === null || !isPrinting(top.track)) return stay(state)
  return inShell(state, top.level, (shell) => inRun(shell, (run) => stirRun(run, now, true)))
}

function hearKeys(state: TerminalState, keys: string, { now }: Moment): Step<TerminalState> {
  const top = topShell(state)
  if (!mayType(top, keys)) return stay(state)
  const step = inShell(state, top.level, (shell) => inRun(shell, (run) => stirRun(run, now, false)))
  return act(step.state, { type: 'type', text: keys }, ...step.effects)
}

function hearProbe(
  shell: Shell,
  { why, probe }: Incoming & { type: 'probed' },
  moment: Moment,
): Step<Shell> {
  if (why === 'idle') return hearIdle(shell, probe, moment)
  if (why === 'exec') return hearExec(shell, probe, moment)
  return why === 'climb' ? hearClimb(shell, probe) : hearPress(shell, { why, probe }, moment)
}

function hearForeground(
  shell: Shell,
  { run: id, foreground, now }: Incoming & { type: 'foreground' },
): Step<Shell> {
  const { track } = shell
  if (shell.run?.order.id !== id || track === null) return stay(shell)
  return inRun(shell, (run) => {
    const need = needOf(run, track, foreground)
    const reader = need === 'secret' ? foreground.program : null
    return changeNeed(reader === run.reader ? run : { ...run, reader }, need, now)
  })
}

function caughtUp(shell: Shell): Step<Shell> {
  const isAtPrompt = shell.phase === 'prompt'
  const next = { ...shell, typing: { ...shell.typing, isUnsure: !isAtPrompt } }
  return isAtPrompt ? act(next, { type: 'report', report: { type: 'typed-over' } }) : stay(next)
}

function hearRun(state: TerminalState, order: RunOrder, moment: Moment): Step<TerminalState> {
  const top = topShell(state)
  const { head } = moment
  if (isOver(state)) return act(state, refuseRun(order, top, { why: 'the shell has ended', head }))
  return inShell(state, top.level, (shell) => orderRun(shell, order, moment))
}

/** A run's end is on disk. The end mark itself stays with the holder: it says where the shell is. */
function settle(state: TerminalState, id: string): Step<TerminalState> {
  const isLast = ({ last }: Shell) => last?.id === id
  const found = [...state.shells, ...state.gone.map(({ shell }) => shell)].find(isLast)
  if (found === undefined || found.last === null) return stay(state)
  const { level, last } = found
  const [base, ...inner] = state.shells
  const forget = (shell: Shell): Shell => (isLast(shell) ? { ...shell, last: null } : shell)
  const next: TerminalState = {
    ...state,
    shells: [forget(base), ...inner.map(forget)],
    gone: state.gone.filter(({ shell }) => !isLast(shell)),
  }
  const acknowledged: readonly Effect[] =
    last.seq === null ? [] : [{ type: 'acknowledge', seq: last.seq - 1, level }]
  const ends: readonly Effect[] = state.exit === null ? [] : [{ type: 'end-holder' }]
  return act(next, ...acknowledged, ...ends)
}
