import { useCallback, useEffect, useRef, useState } from 'react'
import { createFeed, type Feed, type Snapshot } from '../../client/feed.ts'
import { createHistory } from '../../client/history.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { emptyView } from '../../view/view.ts'
import { usePage } from './page.ts'

const nothingYet: Snapshot = { view: emptyView, link: { phase: 'connecting' }, older: 'none' }

/** A hidden tab is drawn seldom, but its title still tells when something asks. */
const hiddenMs = 500

/** A session as it is now, at most once a frame however fast its deltas come. */
export function useFeed(session: SessionId): Snapshot & { loadOlder: () => void } {
  const { client, socket } = usePage()
  const [snapshot, setSnapshot] = useState(nothingYet)
  const current = useRef<Feed | null>(null)
  useEffect(() => {
    const feed = createFeed(socket, { session, history: createHistory(client, session) })
    current.current = feed
    let cancel: (() => void) | null = null
    const show = () => {
      cancel = null
      setSnapshot(feed.getSnapshot())
    }
    const unsubscribe = feed.subscribe(() => (cancel ??= nextFrame(show)))
    show()
    return () => {
      unsubscribe()
      feed.close()
      cancel?.()
    }
  }, [client, socket, session])
  const loadOlder = useCallback(() => void current.current?.loadOlder(), [])
  return { ...snapshot, loadOlder }
}

function nextFrame(show: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(show, hiddenMs)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(show)
  return () => cancelAnimationFrame(frame)
}
