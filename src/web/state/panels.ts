import type { SessionId } from '../../protocol/seq.ts'
import { change, settings } from './settings.ts'
import { createStore } from './store.ts'

/** Below this there is room for one thing at a time: chat or terminal, and the list lies over them. */
export const narrow = '(max-width: 899px)'
const isNarrow = () => matchMedia(narrow).matches

/** Where one lies behind the other: the session whose terminal is in front; else the chat is. */
export const terminalInFront = createStore<SessionId | null>(null)

/** The list, where it lies over the rest. */
export const listDrawn = createStore(false)

export function toggleTerminal(session: SessionId): void {
  if (isNarrow()) terminalInFront.set(terminalInFront.get() === session ? null : session)
  else change({ terminalOpen: !settings.get().terminalOpen })
}

export function toggleList(): void {
  if (isNarrow()) listDrawn.set(!listDrawn.get())
  else change({ listOpen: !settings.get().listOpen })
}

export function showList(): void {
  if (isNarrow()) listDrawn.set(true)
  else change({ listOpen: true })
}

/** Does something with the chat once it is there to be seen. */
export function withChat(act: () => void): void {
  if (terminalInFront.get() === null) return act()
  terminalInFront.set(null)
  requestAnimationFrame(act)
}
