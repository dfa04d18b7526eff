import { createStore } from '../../client/store.ts'

/** The words a screen reader should say now; one thing at a time, the newest wins. */
export const announcement = createStore('')

export function announce(text: string): void {
  // The same words twice are two announcements: a blank tells them apart.
  announcement.set(announcement.get() === text ? `${text}\u00a0` : text)
}

export const toasts = createStore<readonly { id: number; text: string }[]>([])

const shownMs = 6_000
/** More at once would cover the page. */
const atOnce = 3
let made = 0

/** Shows that a request was refused or failed; the server's own words say why. */
export function complain(error: unknown): void {
  const toast = { id: (made += 1), text: error instanceof Error ? error.message : String(error) }
  toasts.set([...toasts.get(), toast].slice(-atOnce))
  setTimeout(() => dismiss(toast.id), shownMs)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id))
}
