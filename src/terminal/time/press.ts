import { type Effect, interruptKey } from '../effect.ts'
import type { Moment, Probe } from '../incoming.ts'
import { finishRun, notRun, type Run } from '../shell/run.ts'
import type { Shell } from '../state.ts'
import { act, type Step, stay } from '../shells.ts'

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the program:
 * one that neither handles nor ignores it would be dead (a shell that is just starting a program swallows it), or
 * signal keys are off and it does not read keys either. To all others a second one would say "now, without
 * cleaning up"; but one that ignores it is stopped by stronger means.
 */
export interface Press {
  /** Names what it was pressed for: a run, or where the output of a typed one starts. */
  readonly of: string
  readonly at: number
  readonly times: number
  /** Somebody wants it stopped, and not only interrupted. */
  readonly climbs: boolean
  /** The time to look whether it was heard; null while the kernel is asked. */
  readonly lookAt: number | null
  /** The kernel's answer as it was pressed; undefined until it comes. */
  readonly before: Probe | null | undefined
}

const lookMs = 300
const maxTimes = 5
export const noFirstPrompt = 'it was stopped before the shell showed a prompt'

/** Presses Ctrl+C for what runs in the shell. A run that waits for the prompt is stopped as soon as it has begun. */
export function press(
  shell: Shell,
  { now }: Pick<Moment, 'now'>,
  { times = 1, climbs = false }: Partial<Pick<Press, 'times' | 'climbs'>> = {},
): Step<Shell> {
  const { run, level } = shell
  if (run !== null && isOnItsWay(shell)) return pressEarly({ ...shell, run })
  const type: Effect = { type: 'type', text: interruptKey }
  const of = pressedFor(shell)
  // A program that carries the terminal elsewhere must not get a signal; only the key reaches what runs there.
  if (!shell.isSeen || of === null) return act(shell, type)
  const pressed: Press = { of, at: now, times, climbs, lookAt: now + lookMs, before: undefined }
  return act({ ...shell, press: pressed }, { type: 'probe', level, why: 'press' }, type)
}

/** It waits for the prompt, or for a shell that does not read. */
function isOnItsWay({ run, track }: Shell): boolean {
  if (run === null) return false
  return run.awaits !== null || (run.isLate && track?.loaded === null)
}

function pressEarly(shell: Shell & { run: Run }): Step<Shell> {
  const { run } = shell
  if (run.awaits === null) return takeBack(shell, 'press')
  // Nothing runs while a command waits for the first prompt: the waiting is what is meant.
  if (shell.phase === 'starting') return finishRun(shell, notRun(noFirstPrompt))
  return stay({ ...shell, run: { ...run, isUnwanted: true } })
}

/** The shell has not taken it; if it is too late for that, the shell says so, and it is stopped then. */
export function takeBack(
  shell: Shell & { run: Run },
  takenBack: NonNullable<Run['takenBack']>,
): Step<Shell> {
  const run: Run = { ...shell.run, takenBack }
  return act<Shell>({ ...shell, run }, { type: 'withdraw', run: run.order.id })
}

/** Names what goes on in the shell, whoever began it. */
export function pressedFor({ run, typing }: Shell): string | null {
  return run?.order.id ?? (typing.open === null ? null : String(typing.open.from.offset))
}

/** Says whether it was pressed as often as makes sense, by the kernel's answers before and after. */
export function afterPress(
  { times, before, climbs }: Press,
  probe: Probe | null,
  shellPid: number,
): 'done' | 'signal' | 'again' | 'climb' {
  if (probe === null) return 'done'
  // A program that takes single keys has got this one as well, and knows what it means.
  if (probe.keysOff) return probe.takesKeys ? 'done' : 'signal'
  const isShell = probe.foreground === shellPid
  const isUnheard = isShell ? before?.foreground === shellPid : probe.minds === false
  if (isUnheard && times < maxTimes) return 'again'
  return climbs && !isShell && probe.ignores ? 'climb' : 'done'
}
