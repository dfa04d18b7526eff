import { useEffect, useRef } from 'react'
import type { SessionId } from '../../protocol/seq.ts'
import type { SessionSummary } from '../../protocol/session-view.ts'
import type { View } from '../../view/view.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/store.ts'

interface Followed {
  id: SessionId
  view: View
  /** What the view shows is how things are now. */
  isLive: boolean
}

/**
 * The list is asked for again when the open session has become another than it says: a first prompt,
 * a title, the end of a turn, a shell. Opening one changes nothing, so it asks for nothing.
 */
export function useListFollows({ id, view, isLive }: Followed): void {
  const { sessions } = usePage()
  const list = useStore(sessions.sessions)
  const isStale =
    isLive &&
    list !== null &&
    isBehind(
      list.find((each) => each.id === id),
      view,
    )
  const { title, turn, shell } = view.state
  useEffect(() => {
    if (isStale) void sessions.refresh()
  }, [sessions, isStale, title])

  const doing = `${turn === null ? 'idle' : 'turn'} ${shell.phase}`
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (!isLive) return
    if (before.current !== null && before.current !== doing) void sessions.refresh()
    before.current = doing
  }, [sessions, isLive, doing])
}

function isBehind(known: SessionSummary | undefined, { state, entries }: View): boolean {
  if (known === undefined || known.title !== state.title) return true
  if (known.title !== null || known.preview !== null) return false
  return (entries.chunks[0] ?? []).some(({ kind }) => kind === 'prompt' || kind === 'run')
}
