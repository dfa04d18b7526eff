import { useMemo } from 'react'
import type { At, SessionId } from '../../../protocol/seq.ts'
import { countUntil, firstEntries } from '../../../view/entries-until.ts'
import type { View } from '../../../view/view.ts'
import { createStore, useStore } from '../../state/store.ts'

/** The time that a session's recording shows; null while its terminal is live. */
export const replayTime = createStore<{ session: SessionId; at: At } | null>(null)

/** The view with the entries that were there at the time its recording shows; else all of it. */
export function useReplayed(session: SessionId, view: View): View {
  const shown = useStore(replayTime)
  const count =
    shown?.session === session ? countUntil(view.entries, shown.at) : view.entries.length
  return useMemo(
    () =>
      count === view.entries.length
        ? view
        : { ...view, entries: firstEntries(view.entries, count) },
    [view, count],
  )
}
