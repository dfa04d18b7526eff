import type { Feed, Snapshot } from './feed.ts'

/** The session went away before what a script waits for had come. */
export class FeedEnded extends Error {
  override name = 'FeedEnded'
}

/** Resolves with the first thing that `find` finds in the feed, now or later. */
export function until<T>(
  feed: Feed,
  find: (snapshot: Snapshot) => T | undefined,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      unsubscribe()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const look = () => {
      const snapshot = feed.getSnapshot()
      const found = find(snapshot)
      if (found !== undefined) return finish(() => resolve(found))
      if (snapshot.link.phase === 'closed') {
        const { error } = snapshot.link
        finish(() => reject(error ?? new FeedEnded('the session is no longer followed')))
      }
    }
    const onAbort = () => finish(() => reject(signal?.reason))
    const unsubscribe = feed.subscribe(look)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    else look()
  })
}
