import { useEffect } from 'react'
import type { SessionId } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import { titleOf } from '../sessions/title-of.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/store.ts'

/** The session's title, also in the browser's tab, with a mark while somebody is asked. */
export function useSessionTitle(id: SessionId, { state }: View): string {
  const { sessions } = usePage()
  const summary = useStore(sessions.sessions)?.find((each) => each.id === id)
  const title = titleOf({ title: state.title, preview: summary?.preview ?? null })
  const hasPreview = summary?.preview !== null && summary?.preview !== undefined
  const isWorthAsking = state.title === null && !hasPreview && state.head > 1
  // The list learns of a first prompt, a new title and an end.
  useEffect(() => {
    void sessions.refresh()
  }, [sessions, state.title, isWorthAsking, state.turn === null])
  const mark = state.asks.length > 0 ? '● ' : ''
  useEffect(() => {
    document.title = `${mark}${title} · Tandem`
    return () => {
      document.title = 'Tandem'
    }
  }, [mark, title])
  return title
}
