import { ModelError } from './model.ts'

/** Sent again at most this often. */
export const maxRetries = 4

/** A provider that asks for more patience than this is not worth waiting for. */
const longestWaitMs = 60_000

/** How long to wait before the next attempt; null when another one would not help. */
export function retryDelay(
  error: unknown,
  { attempt, random }: { attempt: number; random: () => number },
): number | null {
  if (!(error instanceof ModelError) || !error.transient || attempt > maxRetries) return null
  const { retryAfterMs } = error
  if (retryAfterMs !== null) return retryAfterMs <= longestWaitMs ? Math.ceil(retryAfterMs) : null
  // Half of it by chance: clients that failed together do not come back together.
  const full = 1_000 * 2 ** (attempt - 1)
  return Math.round(full / 2 + (full / 2) * random())
}
