import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createFeed, type Feed, type Snapshot } from '../../client/feed.ts'
import { createHistory } from '../../client/history.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { emptyView } from '../../view/view.ts'
import { usePage } from './page.ts'

const nothingYet: Snapshot = { view: emptyView, link: { phase: 'connecting' }, older: 'none' }

/** A hidden tab is drawn seldom, but its title still tells when something asks. */
const hiddenMs = 500

/**
 * A session as it is now, at most once a frame however fast its deltas come; `onNew` hears of each
 * event that comes after it was opened, also of those between two frames.
 */
export function useFeed(
  session: SessionId,
  onNew: (event: Event) => void,
): Snapshot & { loadOlder: () => void } {
  const { client, socket } = usePage()
  const [snapshot, setSnapshot] = useState(nothingYet)
  const current = useRef<Feed | null>(null)
  const onEvent = useEffectEvent(onNew)
  useEffect(() => {
    const feed = createFeed(socket, {
      session,
      history: createHistory(client, session),
      onEvent: (event) => onEvent(event),
    })
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
