import { act, type Step, stay } from './effect.ts'
import type { Probe } from './idle.ts'
import { afterPress, killMs, startClimb } from './press.ts'
import { press, pressedFor, signalTo } from './run-life.ts'
import type { Moment } from './shell.ts'
import type { Shell } from './state.ts'

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

/** Looks whether the program that ignored it is still there. */
export function wakeClimb(shell: Shell, { now }: Moment): Step<Shell> {
  const { climb, level } = shell
  if (climb === null || climb.lookAt === null || now < climb.lookAt) return stay(shell)
  if (climb.of !== pressedFor(shell)) return stay({ ...shell, climb: null })
  return act(
    { ...shell, climb: { ...climb, lookAt: null } },
    { type: 'probe', level, why: 'climb' },
  )
}

/** The next stronger step; those who watch are told of the last. */
export function sendStep(shell: Shell, step: 'term' | 'kill'): Step<Shell> {
  const { run } = shell
  const signal = signalTo(shell, step)
  if (run === null) return act(shell, signal)
  const next: Shell = { ...shell, run: { ...run, stopped: step } }
  if (step === 'term') return act(next, signal)
  return act(next, { type: 'status', run: run.order.id, status: 'killing' }, signal)
}

/** The kernel said what it was asked about a pressed Ctrl+C. */
export function hearPress(
  shell: Shell,
  { why, probe }: { why: 'press' | 'pressed'; probe: Probe | null },
  moment: Moment,
): Step<Shell> {
  const { press: pressed } = shell
  if (pressed === null) return stay(shell)
  if (why === 'press') return stay({ ...shell, press: { ...pressed, before: probe } })
  const over = { ...shell, press: null }
  if (pressed.of !== pressedFor(shell)) return stay(over)
  const { times, climbs } = pressed
  switch (afterPress(pressed, probe, shell.pid)) {
    case 'done':
      return stay(over)
    case 'again':
      return press(over, moment, { times: times + 1, climbs })
    case 'signal':
      return act(over, signalTo(shell, 'int'))
    case 'climb':
      return beginClimb({ ...over, climb: startClimb(pressed, probe?.foreground ?? 0) })
  }
}

function beginClimb(shell: Shell): Step<Shell> {
  const { run } = shell
  if (run === null) return stay(shell)
  const next: Shell = { ...shell, run: { ...run, stopped: 'int' } }
  return act(next, { type: 'status', run: run.order.id, status: 'stopping' })
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
