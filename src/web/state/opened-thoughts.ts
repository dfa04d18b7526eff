import { createStore } from '../../client/store.ts'

/** Thoughts that are open, by session and reply: rows come and go as one scrolls. */
export const openedThoughts = createStore<ReadonlySet<string>>(new Set())

/** More than anybody opens in one sitting. */
const mostOpen = 500

export function toggleThoughts(key: string): void {
  const opened = new Set(openedThoughts.get())
  if (!opened.delete(key)) opened.add(key)
  openedThoughts.set(new Set([...opened].slice(-mostOpen)))
}
