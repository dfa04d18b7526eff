import { useSyncExternalStore } from 'react'
import { createStore } from '../../client/store.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { change, settings } from './settings.ts'

/** At most one dialog is open. */
export const dialog = createStore<
  'none' | 'help' | 'palette' | 'new' | 'models' | 'add-model' | 'export' | 'team'
>('none')

/** Counts the changes of which models there are, for whoever shows one. */
export const modelChanges = createStore(0)

export function modelsChanged(): void {
  modelChanges.set(modelChanges.get() + 1)
}

export function closeDialog(): void {
  dialog.set('none')
  // Not only when that is drawn: the focus goes back before whatever comes next takes it.
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
}

/** Below this there is room for one thing at a time: chat or terminal, and the list lies over them. */
const narrow = matchMedia('(max-width: 899px)')
const isNarrow = () => narrow.matches

function onNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useNarrow = () => useSyncExternalStore(onNarrow, isNarrow)

/** The session whose terminal is in front, where one lies behind the other; else the chat is. */
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
