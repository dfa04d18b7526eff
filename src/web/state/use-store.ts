import { useSyncExternalStore, useEffect, useState, type DependencyList } from 'react'
import type { Store } from '../../client/store.ts'

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** The last thing that was loaded; a help that does not come is not missed. */
export function useLoaded<T extends object | string | null>(
  none: T,
  load: (signal: AbortSignal) => Promise<T>,
  deps: DependencyList,
): T {
  const [found, setFound] = useState(none)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    load(signal).then(
      (loaded) => signal.aborted || setFound(loaded),
      () => undefined,
    )
    return () => leaving.abort()
  }, deps)
  return found
}
