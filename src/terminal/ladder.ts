import { killMs, termMs } from './press.ts'

/**
 * Ctrl+C first; a program that does not listen is ended by ever stronger means, and the shell last: after a
 * kill the prompt comes back at once, or the shell itself is what hangs.
 */
export interface Ladder {
  readonly since: number
  /** The next step. */
  readonly next: 0 | 1 | 2 | 3
}

export type LadderStep = 'term' | 'kill' | 'restart'

const steps: readonly { step: LadderStep; afterMs: number }[] = [
  { step: 'term', afterMs: termMs },
  { step: 'kill', afterMs: killMs },
  { step: 'restart', afterMs: 7000 },
]

export function startLadder(now: number): Ladder {
  return { since: now, next: 0 }
}

export function ladderWakesAt({ since, next }: Ladder): number {
  return since + (steps[next]?.afterMs ?? Number.POSITIVE_INFINITY)
}

export function climb(ladder: Ladder, now: number): { ladder: Ladder; step: LadderStep } | null {
  const step = steps[ladder.next]
  if (step === undefined || now < ladder.since + step.afterMs) return null
  const next = ladder.next === 0 ? 1 : ladder.next === 1 ? 2 : 3
  return { ladder: { ...ladder, next }, step: step.step }
}
