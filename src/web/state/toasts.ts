import { createStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  isProblem: boolean
}

export const toasts = createStore<readonly Toast[]>([])

const shownMs = 6_000
/** More at once would cover the page. */
const atOnce = 3
let made = 0

function show(text: string, isProblem: boolean): void {
  const toast = { id: (made += 1), text, isProblem }
  toasts.set([...toasts.get(), toast].slice(-atOnce))
  setTimeout(() => dismiss(toast.id), shownMs)
}

export const tell = (text: string) => show(text, false)

/** What was asked for did not happen; the server's own words say why. */
export function complain(error: unknown): void {
  show(error instanceof Error ? error.message : String(error), true)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id))
}
