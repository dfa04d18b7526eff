import { createStore } from './store.ts'

export interface Toast {
  id: number
  text: string
}

export const toasts = createStore<readonly Toast[]>([])

const shownMs = 6_000
/** More at once would cover the page. */
const atOnce = 3
let made = 0

/** What was asked for did not happen; the server's own words say why. */
export function complain(error: unknown): void {
  const toast = { id: (made += 1), text: error instanceof Error ? error.message : String(error) }
  toasts.set([...toasts.get(), toast].slice(-atOnce))
  setTimeout(() => dismiss(toast.id), shownMs)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id))
}
