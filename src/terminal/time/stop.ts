import { type Effect, interruptKey, quitKey } from '../effect.ts'
import type { Moment, Order, Probe } from '../incoming.ts'
import { finishRun, notRun } from '../shell/run.ts'
import { topShell, act, andThen, inShell, type Step, stay } from '../shells.ts'
import type { Shell, TerminalState } from '../state.ts'
import { killMs, type Ladder, ladderSteps, termMs } from './deadlines.ts'
import { afterPress, noFirstPrompt, press, pressedFor, takeBack } from './press.ts'

/** The stronger means for a program that ignores Ctrl+C, as long as it is the same one. */
export interface Climb {
  readonly of: string
  /** Its process group. */
  readonly group: number
  readonly since: number
  readonly next: 'term' | 'kill'
  /** The time to look whether it is still there; null while the kernel is asked. */
  readonly lookAt: number | null
}

export const noPrompt = 'the prompt before it did not come back, or it was stopped'

/** Stops the run for whoever ordered it: one that has not begun does not run, others are stopped step by step. */
export function stopRun(shell: Shell, moment: Pick<Moment, 'now'>): Step<Shell> {
  const { run, track } = shell
  if (run === null || run.ladder !== null) return stay(shell)
  if (run.awaits !== null)
    return finishRun(shell, notRun(shell.phase === 'starting' ? noFirstPrompt : noPrompt))
  if (track?.loaded === null) return takeBack({ ...shell, run }, 'stop')
  const ladder: Ladder = { since: moment.now, next: 0 }
  const stopped: Shell = { ...shell, run: { ...run, ladder, stopped: 'int' } }
  const { id } = run.order
  return andThen(act(stopped, { type: 'status', run: id, status: 'stopping' }), (state) =>
    press(state, moment),
  )
}

/** Takes the next step of the ladder, if its time has come. */
export function wakeLadder(shell: Shell, { now }: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.ladder === null) return stay(shell)
  const { since, next } = run.ladder
  const due = ladderSteps[next]
  if (due === undefined || now < since + due.afterMs) return stay(shell)
  const ladder: Ladder = { since, next: next === 0 ? 1 : next === 1 ? 2 : 3 }
  const climbed: Shell = { ...shell, run: { ...run, ladder } }
  return due.step === 'restart' ? act(climbed, { type: 'restart' }) : sendStep(climbed, due.step)
}

/** Sends the next stronger signal; those who watch are told of the last. */
function sendStep(shell: Shell, step: 'term' | 'kill'): Step<Shell> {
  const { run } = shell
  const signal = signalTo(shell, step)
  if (run === null) return act(shell, signal)
  const next: Shell = { ...shell, run: { ...run, stopped: step } }
  if (step === 'term') return act(next, signal)
  return act(next, { type: 'status', run: run.order.id, status: 'killing' }, signal)
}

/** A signal for what runs; a key where none can be sent. */
function signalTo({ isSeen }: Shell, signal: 'int' | 'term' | 'kill'): Effect {
  if (isSeen) return { type: 'signal', signal }
  return { type: 'type', text: signal === 'kill' ? quitKey : interruptKey }
}

/** Does what somebody wants who sends a signal. */
export function hearSignal(
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

/** Looks whether a pressed Ctrl+C was heard. */
export function wakePress(shell: Shell, { now }: Moment): Step<Shell> {
  const { press: pressed, level } = shell
  if (pressed === null || pressed.lookAt === null || now < pressed.lookAt) return stay(shell)
  if (pressed.of !== pressedFor(shell)) return stay({ ...shell, press: null })
  return act(
    { ...shell, press: { ...pressed, lookAt: null } },
    { type: 'probe', level, why: 'pressed' },
  )
}

/** The kernel answered about a pressed Ctrl+C. */
export function hearPress(
  shell: Shell,
  { why, probe }: { why: 'press' | 'pressed'; probe: Probe | null },
  moment: Moment,
): Step<Shell> {
  const { press: pressed } = shell
  if (pressed === null) return stay(shell)
  if (why === 'press') return stay({ ...shell, press: { ...pressed, before: probe } })
  const over = { ...shell, press: null }
  const { of, at, times, climbs } = pressed
  if (of !== pressedFor(shell)) return stay(over)
  switch (afterPress(pressed, probe, shell.pid)) {
    case 'done':
      return stay(over)
    case 'again':
      return press(over, moment, { times: times + 1, climbs })
    case 'signal':
      return act(over, signalTo(shell, 'int'))
    case 'climb': {
      const group = probe?.foreground ?? 0
      return startClimb(over, { of, group, since: at, next: 'term', lookAt: at + termMs })
    }
  }
}

function startClimb(shell: Shell, climb: Climb): Step<Shell> {
  const { run } = shell
  if (run === null) return stay({ ...shell, climb })
  const next: Shell = { ...shell, climb, run: { ...run, stopped: 'int' } }
  return act(next, { type: 'status', run: run.order.id, status: 'stopping' })
}

/** Looks whether the program that ignored Ctrl+C is still there. */
export function wakeClimb(shell: Shell, { now }: Moment): Step<Shell> {
  const { climb, level } = shell
  if (climb === null || climb.lookAt === null || now < climb.lookAt) return stay(shell)
  if (climb.of !== pressedFor(shell)) return stay({ ...shell, climb: null })
  return act(
    { ...shell, climb: { ...climb, lookAt: null } },
    { type: 'probe', level, why: 'climb' },
  )
}

/** The kernel said whether the program that ignored Ctrl+C is still in front. */
export function hearClimb(shell: Shell, probe: Probe | null): Step<Shell> {
  const { climb } = shell
  if (climb === null) return stay(shell)
  const isSame = climb.of === pressedFor(shell) && probe?.foreground === climb.group
  if (!isSame) return stay({ ...shell, climb: null })
  if (climb.next === 'kill') return sendStep({ ...shell, climb: null }, 'kill')
  const next = { ...climb, next: 'kill', lookAt: climb.since + killMs } as const
  return sendStep({ ...shell, climb: next }, 'term')
}
