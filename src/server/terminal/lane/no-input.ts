import type { Lane } from './lane.ts'

export const readsSecret = 'it reads a secret, which only the user types'
export const noShell = 'There is no shell to type into; run something first.'
export const hasMoved = 'The terminal has moved to another session.'
export const notDriver = 'The model is using the terminal. Take over to type; Ctrl+C always works.'
export const isTaken = 'the user has taken over the keyboard'

/** Why nothing of the model's can be typed now; null: it can. */
export function noInput(lane: Pick<Lane, 'isTaken' | 'state'>): string | null {
  if (lane.isTaken()) return isTaken
  return lane.state().screen === 'secret' ? readsSecret : null
}
