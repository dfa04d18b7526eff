import { isUnreachable } from './client-error.ts'

export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>

/** Resolves after a time, or at once when the signal says that nobody waits any more. */
export const waitFor: Wait = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })

const firstMs = 100
const longestMs = 5_000

/** Doubles from a tenth of a second: a restart is over soon, a server that is down is not pestered. */
export function backoff(attempt: number): number {
  return Math.min(firstMs * 2 ** attempt, longestMs)
}

interface Patience {
  wait: Wait
  signal?: AbortSignal | undefined
  /** How often to try again. */
  retries: number
}

/** Tries again while no answer comes; only for what may safely happen twice. */
export async function whileUnreachable<T>(
  attempt: () => Promise<T>,
  { wait, signal, retries }: Patience,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || signal?.aborted || !isUnreachable(error)) throw error
      await wait(backoff(failures), signal)
    }
  }
}
