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
  // Until the session itself has come, the list knows it.
  const known = state.head === 0 ? (summary?.title ?? null) : state.title
  const title = titleOf({ title: known, preview: summary?.preview ?? null })
  const mark = state.asks.length > 0 ? '● ' : ''
  useEffect(() => {
    document.title = `${mark}${title} · Tandem`
    return () => {
      document.title = 'Tandem'
    }
  }, [mark, title])
  return title
}
