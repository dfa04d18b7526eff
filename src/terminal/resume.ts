import type { Moment, Order } from './incoming.ts'
import { topShell, act, andThen, inRun, inShell, type Step, stay } from './shells.ts'
import { beginRun, endWithShell, finishRun, newRun, refuseRun, type RunOrder } from './shell/run.ts'
import { isFinished, startTrack } from './shell/track.ts'
import type { Shell, TerminalState } from './state.ts'
import { watchIdle } from './time/deadlines.ts'
import { interruptKey } from './effect.ts'

/** The holder enters a command as a whole or not at all: one that it does not know of was not run. */
export function resumeRun(
  state: TerminalState,
  { run: order, at }: Order & { type: 'resume' },
  moment: Moment,
): Step<TerminalState> {
  const knows = (shell: Shell) => shell.track?.id === order.id && shell.track.loaded !== null
  const gone = state.gone.find(({ shell }) => knows(shell))
  if (gone !== undefined) return resumeGone(state, gone, order)
  const known = state.shells.find(knows)
  const shell = known ?? (state.entering === order.id ? topShell(state) : undefined)
  const why = 'it had not reached the shell'
  if (shell === undefined)
    return act(state, refuseRun(order, topShell(state), { why, head: state.head }))
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
  { now, head }: Moment,
): Step<Shell> {
  const track = shell.track?.id === order.id ? shell.track : startTrack(order.id, shell.pid)
  const run = watchIdle(newRun(order, shell, head), track, now)
  const claimed: Shell = { ...shell, run, track }
  if (isFinished(track, run.isOneLine)) return finishRun(claimed, track.to?.offset ?? head)
  const usedMs = at - (track.from?.time ?? at)
  const begun =
    track.from === null || track.isAround
      ? stay(claimed)
      : inRun(claimed, (picked) => beginRun(picked, { shell: claimed, usedMs, now }))
  const broken = track.incomplete
    ? andThen(begun, (state) => act(state, { type: 'type', text: interruptKey }))
    : begun
  return exit === null ? broken : andThen(broken, (state) => endWithShell(state, exit))
}
