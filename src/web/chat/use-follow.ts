import {
  createContext,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import type { VListHandle } from 'virtua'
import type { Seq } from '../../protocol/events/seq.ts'
import { newerRows, newestSeq, type Row } from '../../view/rows/rows.ts'

/** So near the end counts as at the end. */
const nearPx = 48

/** Leaves the end of the list: what grows now is read from its start. */
export const StayContext = createContext<() => void>(() => {})

/** Keeps the end of the list in sight as long as one is there. */
export function useFollow(
  list: RefObject<VListHandle | null>,
  box: RefObject<HTMLElement | null>,
  rows: readonly Row[],
) {
  /** The newest entry when one left the end; null while one is there. */
  const [seen, setSeen] = useState<Seq | null>(null)
  const follows = seen === null
  const followsNow = useRef(true)
  followsNow.current = follows

  const scrollToEnd = useCallback(() => {
    const handle = list.current
    if (handle) handle.scrollTo(handle.scrollSize)
  }, [list])
  useLayoutEffect(() => {
    if (follows) scrollToEnd()
  }, [rows, follows, scrollToEnd])

  // Outputs arrive and blocks open after a row is drawn; the composer grows and the window changes.
  useEffect(() => {
    const scroller = box.current?.querySelector('.entry-list')
    if (!scroller?.firstElementChild) return
    const observer = new ResizeObserver(() => followsNow.current && scrollToEnd())
    observer.observe(scroller)
    observer.observe(scroller.firstElementChild)
    return () => observer.disconnect()
  }, [box, scrollToEnd])

  // A person who says something wants to see it.
  const last = rows.at(-1)
  const sent = last && 'letter' in last ? last.key : null
  useEffect(() => {
    if (sent !== null) setSeen(null)
  }, [sent])

  const newest = useRef(rows)
  newest.current = rows
  const stay = useCallback(() => {
    followsNow.current = false
    setSeen((before) => before ?? newestSeq(newest.current))
  }, [])

  return {
    follows,
    /** How many rows came since one left the end. */
    fresh: seen === null ? 0 : newerRows(rows, seen),
    toEnd: () => setSeen(null),
    stay,
    /** Tells where the list is now. */
    onScroll(isUp: boolean) {
      // Asked of the page itself: the list measures later, and a window that grew looks like scrolling.
      const scroller = box.current?.querySelector('.entry-list')
      if (!scroller) return
      const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
      if (left < nearPx) setSeen(null)
      else if (isUp) setSeen((before) => before ?? newestSeq(rows))
    },
  }
}
