import type { SessionId } from '../../protocol/seq.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { createStore, type Store } from './store.ts'

export type ComposerMode = 'chat' | 'bash'

/** What stands in a session's composer, for everything on the page that can put something there. */
export interface ComposerState {
  text: Store<string>
  mode: Store<ComposerMode>
  /** Puts a text there, and the cursor behind it. */
  put(text: string): void
}

const composers = new Map<SessionId, ComposerState>()

/** Kept for every session that was opened, so that going elsewhere and back loses nothing. */
export function composerOf(session: SessionId): ComposerState {
  const known = composers.get(session)
  if (known) return known
  const text = createStore(draftOf(session))
  text.subscribe(() => keepDraft(session, text.get()))
  const state: ComposerState = {
    text,
    mode: createStore<ComposerMode>('chat'),
    put(next) {
      text.set(next)
      focusComposer()
    },
  }
  composers.set(session, state)
  return state
}

export function focusComposer(): void {
  const field = document.querySelector<HTMLTextAreaElement>('#composer')
  field?.focus()
  // After the text was drawn, so that the cursor comes to stand behind it.
  requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length))
}
