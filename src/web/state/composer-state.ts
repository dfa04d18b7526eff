import type { SubmitAs } from '../../protocol/completion.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { createStore, type Store } from './store.ts'

export type ComposerMode = 'chat' | 'bash'

/** What stands in a session's composer, for everything on the page that can put something there. */
export interface ComposerState {
  text: Store<string>
  mode: Store<ComposerMode>
  /** What was pasted into an empty composer: as long as it is all that stands there, it is no command. */
  pasted: Store<string | null>
  /** Puts a text there that is meant as this, and the cursor behind it. */
  put(text: string, as?: SubmitAs): void
}

const composers = new Map<SessionId, ComposerState>()

/** Kept for every session that was opened, so that going elsewhere and back loses nothing. */
export function composerOf(session: SessionId): ComposerState {
  const known = composers.get(session)
  if (known) return known
  const draft = draftOf(session)
  const text = createStore(draft.text)
  const pasted = createStore(draft.isPasted ? draft.text : null)
  const mode = createStore<ComposerMode>('chat')
  const keep = () => keepDraft(session, { text: text.get(), isPasted: pasted.get() === text.get() })
  text.subscribe(keep)
  pasted.subscribe(keep)
  const state: ComposerState = {
    text,
    mode,
    pasted,
    put(next, as = 'auto') {
      text.set(next)
      pasted.set(as === 'text' ? next : null)
      mode.set(as === 'run' ? 'bash' : 'chat')
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
