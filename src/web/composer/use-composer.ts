import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import type { OpenSession } from '../../client/session/session.ts'
import { keyPlace } from '../../view/composer/composing.ts'
import { composerKey, isComposed, isModeKey } from '../../view/composer/keys.ts'
import { focusBefore } from '../parts/focus.ts'
import { cycleMode } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'

export const isTouch = matchMedia('(pointer: coarse)').matches

/** A second Enter of a hand that gave a password away must not send the draft. */
const inertMs = 500

/** The composer's field: what it says goes to the composer, and the cursor to where that wants it. */
export function useComposer(
  session: OpenSession,
  field: RefObject<HTMLTextAreaElement | null>,
  secretEnd: RefObject<number>,
) {
  const { composer } = session
  const state = useStore(composer)
  const { dispatch } = composer
  const placed = useRef(state.placed)
  // Once the text is drawn, and before the next key.
  useLayoutEffect(() => {
    if (placed.current !== state.placed)
      field.current?.setSelectionRange(state.cursor, state.cursor)
    placed.current = state.placed
  })
  return {
    state,
    onText(text: string, cursor: number) {
      // A person who writes something means the next Enter.
      secretEnd.current = -Infinity
      dispatch({ type: 'typed', text, cursor })
    },
    onCursor: (cursor: number) => dispatch({ type: 'moved', cursor }),
    onPaste(text: string) {
      const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {}
      dispatch({ type: 'pasted', text, from, to })
    },
    onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
      if (isComposed(event.nativeEvent)) return
      if (isModeKey(event) || event.key === 'F6') {
        event.preventDefault()
        if (event.key === 'F6') focusBefore(event.currentTarget)
        else void cycleMode(session)
        return
      }
      const { selectionStart: from, selectionEnd: to } = event.currentTarget
      const key = composerKey(event, { ...keyPlace(composer.get()), from, to, isTouch })
      if (key === null) return
      event.preventDefault()
      if (key === 'send' && performance.now() - secretEnd.current < inertMs) return
      dispatch({ type: 'key', key, from, to })
    },
  }
}
