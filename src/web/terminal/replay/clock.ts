import type { Cast } from './cast.ts'

/** A silence longer than this is cut short: nobody watches a prompt for an hour. */
const idleMs = 2_000

/** Where playing has come to after so much real time at a speed. */
export function advance(cast: Cast, at: number, passed: { ms: number; speed: number }): number {
  const next = cast.timeOf(cast.countAt(at))
  const reached = at + passed.ms * passed.speed
  const waits = Math.min(next, cast.lengthMs) - at
  // What would be waited for beyond the limit is jumped over at once.
  const jump = waits > idleMs * passed.speed ? waits - idleMs * passed.speed : 0
  return Math.min(reached + jump, cast.lengthMs)
}

/** `1:05`, `1:02:03` */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (count: number) => String(count).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0
    ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`
}
