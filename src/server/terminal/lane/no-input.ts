import type { Lane } from './lane.ts'

export const readsSecret = 'it reads a secret, which only the user types'
export const isTaken = 'the user has taken over the keyboard'

/** Why nothing of the model's can be typed now; null: it can. */
export function noInput(lane: Pick<Lane, 'isTaken' | 'state'>): string | null {
  if (lane.isTaken()) return isTaken
  return lane.state().screen === 'secret' ? readsSecret : null
}
