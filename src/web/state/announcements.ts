import { createStore } from './store.ts'

/** What a screen reader should say now; one thing at a time, the newest wins. */
export const announcement = createStore('')

export function announce(text: string): void {
  // The same words twice are two announcements: a blank tells them apart.
  announcement.set(announcement.get() === text ? `${text}\u00a0` : text)
}
