import type { Probe } from './idle.ts'

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the program:
 * one that neither handles nor ignores it would be dead (a shell that is just starting a program swallows it),
 * or signal keys are off. To all others a second one would say "now, without cleaning up".
 */
export interface Press {
  /** What it was pressed for: a run, or where the output of a typed one starts. */
  readonly of: string
  readonly times: number
  /** When to look whether it was heard; null while the kernel is asked. */
  readonly lookAt: number | null
  /** What the kernel said as it was pressed; undefined until it answers. */
  readonly before: Probe | null | undefined
}

const lookMs = 300
const maxTimes = 5

export function startPress(of: string, now: number, times = 1): Press {
  return { of, times, lookAt: now + lookMs, before: undefined }
}

/** Pressed as often as makes sense, by what the kernel says before and after. */
export function afterPress(
  { times, before }: Press,
  probe: Probe | null,
  shellPid: number,
): 'done' | 'signal' | 'again' {
  if (probe === null) return 'done'
  if (probe.keysOff) return 'signal'
  const isUnheard =
    probe.foreground === shellPid ? before?.foreground === shellPid : probe.minds === false
  return isUnheard && times < maxTimes ? 'again' : 'done'
}
