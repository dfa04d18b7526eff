import { assertNever } from '../protocol/assert-never.ts'
import { act, type Effect, type Step, stay, andThen } from './effect.ts'
import type { Order } from './heard.ts'
import { inShell } from './levels.ts'
import { begin, keepRun, newRun, type RunOrder, watchIdle } from './run.ts'
import { adoptReplaced } from './replaced.ts'
import { endWithShell, finishRun, orderRun, press, signalTo, stopRun } from './run-life.ts'
import { isOver, topShell } from './select.ts'
import type { Moment } from './shell.ts'
import type { Shell, TerminalState } from './state.ts'
import { isFinished, startTrack } from './track.ts'

const interruptKey = '\x03'

export function hearOrder(state: TerminalState, order: Order, moment: Moment): Step<TerminalState> {
  const top = topShell(state)
  switch (order.type) {
    case 'run':
      return isOver(state)
        ? act(state, unstarted(state, order.run, 'The command was not run: the shell has ended.'))
        : inShell(state, top.level, (shell) => orderRun(shell, order.run, moment))
    case 'resume':
      return resume(state, order, moment)
    case 'settle':
      return settle(state, order.id)
    case 'stop':
      return stop(state, order.id, moment)
    case 'interrupt':
      return inShell(state, top.level, (shell) => press(shell, moment))
    case 'signal':
      return signal(state, order.signal, moment)
    case 'replaced':
      return inShell(state, top.level, adoptReplaced)
    case 'adopt':
      return inShell(state, top.level, (shell) => stay({ ...shell, replaced: null }))
    case 'drive':
      return inShell(state, top.level, (shell) => drive(shell, order.driver))
    case 'keep':
      return inShell(state, top.level, keep)
    case 'end':
      return stay({ ...state, ending: order.how })
    default:
      return assertNever(order)
  }
}

function unstarted(state: TerminalState, order: RunOrder, why: string): Effect {
  const shell = topShell(state)
  const run = newRun(order, shell, state.head)
  const verdict = { type: 'unstarted', why, isMoved: false } as const
  return { type: 'ended', level: shell.level, run, track: null, verdict }
}

function stop(state: TerminalState, id: string, moment: Moment): Step<TerminalState> {
  const shell = state.shells.find(({ run }) => run?.order.id === id)
  return shell ? inShell(state, shell.level, (found) => stopRun(found, moment)) : stay(state)
}

function signal(
  state: TerminalState,
  which: (Order & { type: 'signal' })['signal'],
  moment: Moment,
): Step<TerminalState> {
  if (which === 'restart') return act(state, { type: 'restart' })
  const shell = topShell(state)
  if (which === 'int')
    return inShell(state, shell.level, (top) => press(top, moment, { climbs: true }))
  // On its way to the prompt the shell itself has the terminal, and no signal is meant for that.
  const isRunning = shell.run !== null || shell.phase === 'running'
  return isRunning ? act(state, signalTo(shell, which)) : stay(state)
}

function drive(shell: Shell, driver: 'person' | 'model'): Step<Shell> {
  const { run } = shell
  return stay(run === null ? shell : { ...shell, run: { ...run, isTaken: driver === 'person' } })
}

function keep(shell: Shell): Step<Shell> {
  if (shell.run === null) return stay(shell)
  const { run, effects } = keepRun(shell.run)
  return { state: { ...shell, run }, effects }
}

/** The end mark itself stays with the holder: it says where the shell is. */
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

/** The holder enters a command as a whole or not at all: one that it does not know of was not run. */
function resume(
  state: TerminalState,
  { run: order, at }: Order & { type: 'resume' },
  moment: Moment,
): Step<TerminalState> {
  const knows = (shell: Shell) => shell.track?.id === order.id && shell.track.loaded !== null
  const gone = state.gone.find(({ shell }) => knows(shell))
  if (gone !== undefined) return resumeGone(state, gone, order)
  const known = state.shells.find(knows)
  const shell = known ?? (state.entering === order.id ? topShell(state) : undefined)
  if (shell === undefined)
    return act(
      state,
      unstarted(state, order, 'The command was not run: it had not reached the shell.'),
    )
  return inShell(state, shell.level, (found) =>
    pickUp(found, { order, at, exit: state.exit }, moment),
  )
}

function resumeGone(
  state: TerminalState,
  gone: TerminalState['gone'][number],
  order: RunOrder,
): Step<TerminalState> {
  const claimed = { ...gone.shell, run: newRun(order, gone.shell, state.head) }
  const step = endWithShell(claimed, gone.exit)
  const rest = state.gone.map((each) => (each === gone ? { ...gone, shell: step.state } : each))
  return { state: { ...state, gone: rest }, effects: step.effects }
}

function pickUp(
  shell: Shell,
  { order, at, exit }: { order: RunOrder; at: number; exit: TerminalState['exit'] },
  moment: Moment,
): Step<Shell> {
  const track = shell.track?.id === order.id ? shell.track : startTrack(order.id, shell.pid)
  const run = watchIdle(newRun(order, shell, moment.head), track, moment.now)
  const claimed: Shell = { ...shell, run, track }
  if (isFinished(track, run.isOneLine)) return finishRun(claimed, track.to?.offset ?? moment.head)
  const begun =
    track.from === null || track.isAround
      ? stay(claimed)
      : beginAgain(claimed, at - track.from.time, moment)
  const broken = track.incomplete
    ? andThen(begun, (state) => act(state, { type: 'type', text: interruptKey }))
    : begun
  return exit === null ? broken : andThen(broken, (state) => endWithShell(state, exit))
}

function beginAgain(shell: Shell, usedMs: number, { now }: Moment): Step<Shell> {
  if (shell.run === null) return stay(shell)
  const { run, effects } = begin(shell.run, { shell, usedMs, now })
  return { state: { ...shell, run }, effects }
}
