/** One value that a UI follows. */
export interface Store<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

/** A store together with the right to change it. */
export interface OwnStore<T> extends Store<T> {
  set(next: T): void
}

export function createStore<T>(initial: T): OwnStore<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      const faults: unknown[] = []
      for (const listener of listeners)
        try {
          listener()
        } catch (error) {
          faults.push(error)
        }
      // The others have heard of it by then.
      if (faults.length > 0) throw faults[0]
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The same work, never twice at once: whoever asks while it is under way shares the next time. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = () => {
    next = null
    return (current = work())
  }
  return () => (next ??= current.then(begin, begin))
}
