/**
 * Finds out that a shell is back at its prompt though no mark came: its hooks were unset, or its prompt goes
 * to a file. The kernel is asked, and only after a silence.
 */
export interface Idle {
  readonly stirredAt: number
  /** The next look; null while an answer is awaited. */
  readonly lookAt: number | null
  readonly waitMs: number
  /** How often in a row it looked idle. */
  readonly times: number
  /** When the shell had last stirred as the kernel was asked. */
  readonly askedAt: number
}

/** What the kernel says of a shell, as far as it matters here. */
export interface Probe {
  /** The shell itself has the terminal and waits in its line editor, without a time limit. */
  readonly isAtPrompt: boolean
  /** It reads the terminal in some way, as zsh and fish do at their prompts and in their own `read`. */
  readonly isReading: boolean
  /** What `exec` made of it. */
  readonly replaced: 'shell' | 'program' | null
  /** The terminal's foreground process group. */
  readonly foreground: number
  /** Whether that group's leader handles or ignores SIGINT; null when there is no leader. */
  readonly minds: boolean | null
  /** Signal keys are off in the terminal. Asked, as what follows, only after a Ctrl+C. */
  readonly keysOff: boolean
  /** The program takes single keys, or waits for a line. */
  readonly takesKeys: boolean
  /** The group's leader ignores SIGINT. */
  readonly ignores: boolean
}

const firstMs = 150
const maxMs = 1000
/** A moment between two commands looks idle, too: without a mark it must look so several times. */
const timesUnlikely = 3

export function startIdle(now: number): Idle {
  return { stirredAt: now, lookAt: now + firstMs, waitMs: firstMs, times: 0, askedAt: now }
}

/** The shell spoke or printed. */
export function stirIdle(idle: Idle, now: number): Idle {
  return { ...idle, stirredAt: now }
}

/** Null: it is not time yet; else whether the kernel is to be asked. */
export function lookIdle(idle: Idle, now: number): { idle: Idle; asks: boolean } | null {
  if (idle.lookAt === null || now < idle.lookAt) return null
  if (now - idle.stirredAt < firstMs) {
    const lookAt = idle.stirredAt + firstMs
    return { idle: { ...idle, times: 0, waitMs: firstMs, lookAt }, asks: false }
  }
  return { idle: { ...idle, lookAt: null, askedAt: idle.stirredAt }, asks: true }
}

/** The answer: how often in a row it looked idle now, and whether that is enough. */
export function answerIdle(
  idle: Idle,
  { looksIdle, isLikely, now }: { looksIdle: boolean; isLikely: boolean; now: number },
): { idle: Idle; isIdle: boolean } {
  const times = looksIdle && idle.askedAt === idle.stirredAt ? idle.times + 1 : 0
  const isIdle = times >= (isLikely ? 1 : timesUnlikely)
  const waitMs = Math.min(idle.waitMs * 2, maxMs)
  return { idle: { ...idle, times, waitMs, lookAt: now + waitMs }, isIdle }
}

export function looksIdle(probe: Probe | null, isLikely: boolean): boolean {
  if (probe === null || !(probe.isAtPrompt || probe.isReading)) return false
  if (isLikely) return true
  return probe.replaced === null ? probe.isAtPrompt : probe.replaced === 'shell'
}
