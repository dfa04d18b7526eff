import { createStore, type Store } from './store.ts'

/** A place that outlives the client: a browser's storage, a file, or a Map in tests. */
export interface Keep {
  get(name: string): string | null
  /** Null forgets it. */
  set(name: string, value: string | null): void
  names(prefix: string): readonly string[]
}

/** A browser's storage. What it has no room for is kept as long as the page is open. */
export function keepIn(storage: Storage): Keep {
  const unkept = new Map<string, string>()
  return {
    get: (name) => unkept.get(name) ?? storage.getItem(name),
    set(name, value) {
      unkept.delete(name)
      try {
        if (value === null) storage.removeItem(name)
        else storage.setItem(name, value)
      } catch {
        if (value !== null) unkept.set(name, value)
      }
    },
    names: (prefix) =>
      [...new Set([...Object.keys(storage), ...unkept.keys()])].filter((name) =>
        name.startsWith(prefix),
      ),
  }
}

/** A value that was kept as JSON; null when it is none, or not there. */
export function readJson(keep: Keep, name: string): unknown {
  try {
    return JSON.parse(keep.get(name) ?? 'null')
  } catch {
    return null
  }
}

/** Settings that are kept as one value. */
export interface KeptSettings<T> extends Store<T> {
  change(changes: Partial<T>): void
}

/** `read` makes whole settings of whatever was kept. */
export function createKeptSettings<T extends object>(
  keep: Keep,
  name: string,
  read: (kept: unknown) => T,
): KeptSettings<T> {
  const stored = () => read(readJson(keep, name) ?? {})
  const settings = createStore(stored())
  return {
    get: settings.get,
    subscribe: settings.subscribe,
    change(changes) {
      settings.set({ ...settings.get(), ...changes })
      // Read anew: what another client has changed meanwhile stays changed, and this one as it looks.
      keep.set(name, JSON.stringify({ ...stored(), ...changes }))
    },
  }
}
