import type { Probe } from './idle.ts'

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the program:
 * one that neither handles nor ignores it would be dead (a shell that is just starting a program swallows it), or
 * signal keys are off and it does not read keys either. To all others a second one would say "now, without
 * cleaning up"; but one that ignores it is stopped by stronger means.
 */
export interface Press {
  /** What it was pressed for: a run, or where the output of a typed one starts. */
  readonly of: string
  readonly at: number
  readonly times: number
  /** Somebody wants it stopped, and not only interrupted. */
  readonly climbs: boolean
  /** When to look whether it was heard; null while the kernel is asked. */
  readonly lookAt: number | null
  /** What the kernel said as it was pressed; undefined until it answers. */
  readonly before: Probe | null | undefined
}

const lookMs = 300
const maxTimes = 5

export function startPress(
  of: string,
  now: number,
  { times, climbs }: Pick<Press, 'times' | 'climbs'>,
): Press {
  return { of, at: now, times, climbs, lookAt: now + lookMs, before: undefined }
}

/** Pressed as often as makes sense, by what the kernel says before and after. */
export function afterPress(
  { times, before, climbs }: Press,
  probe: Probe | null,
  shellPid: number,
): 'done' | 'signal' | 'again' | 'climb' {
  if (probe === null) return 'done'
  // What takes single keys has got this one as well, and knows what it means.
  if (probe.keysOff) return probe.takesKeys ? 'done' : 'signal'
  const isShell = probe.foreground === shellPid
  const isUnheard = isShell ? before?.foreground === shellPid : probe.minds === false
  if (isUnheard && times < maxTimes) return 'again'
  return climbs && !isShell && probe.ignores ? 'climb' : 'done'
}

/** The stronger means for a program that ignores Ctrl+C, as long as it is the same one. */
export interface Climb {
  readonly of: string
  /** Its process group. */
  readonly group: number
  readonly since: number
  readonly next: 'term' | 'kill'
  /** When to look whether it is still there; null while the kernel is asked. */
  readonly lookAt: number | null
}

export const [termMs, killMs] = [2000, 5000]

export function startClimb({ of, at }: Press, group: number): Climb {
  return { of, group, since: at, next: 'term', lookAt: at + termMs }
}
