import {
  createContext,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import type { Seq } from '../../protocol/events/seq.ts'
import { newerRows, newestSeq, type Row } from '../../view/rows/rows.ts'

/** So near the end counts as at the end. */
const nearPx = 48

/** The ways in which a person moves a list. */
const personMoves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Leaves the end of the list: what grows now is read from its start. */
export const StayContext = createContext<() => void>(() => {})

/** Keeps the end of the list in sight as long as one is there. */
export function useFollow(box: RefObject<HTMLElement | null>, rows: readonly Row[]) {
  /** The newest entry when one left the end; null while one is there. */
  const [seen, setSeen] = useState<Seq | null>(null)
  const follows = seen === null
  /** The same, known at once: rows are measured between a scroll and the next drawing. */
  const followsNow = useRef(true)
  const newest = useRef(rows)
  newest.current = rows
  /** The list moves by itself as what grows is measured: until the person moves it, that leads nowhere. */
  const isHeld = useRef(false)
  const leave = useCallback(() => {
    followsNow.current = false
    setSeen((before) => before ?? newestSeq(newest.current))
  }, [])
  const stay = useCallback(() => {
    isHeld.current = true
    leave()
  }, [leave])
  const toEnd = useCallback(() => {
    isHeld.current = false
    followsNow.current = true
    setSeen(null)
  }, [])

  // Not by the list's own `scrollTo`: that repeats itself while rows are measured, and takes back what a person scrolls.
  const scrollToEnd = useCallback(() => {
    const scroller = box.current?.querySelector('.entry-list')
    if (scroller && followsNow.current) scroller.scrollTop = scroller.scrollHeight
  }, [box])
  useLayoutEffect(scrollToEnd, [rows, follows, scrollToEnd])

  // Outputs arrive and blocks open after a row is drawn; the composer grows and the window changes.
  useEffect(() => {
    const scroller = box.current?.querySelector('.entry-list')
    if (!scroller?.firstElementChild) return
    const observer = new ResizeObserver(scrollToEnd)
    observer.observe(scroller)
    observer.observe(scroller.firstElementChild)
    const release = () => void (isHeld.current = false)
    for (const moved of personMoves) scroller.addEventListener(moved, release, { passive: true })
    return () => {
      observer.disconnect()
      for (const moved of personMoves) scroller.removeEventListener(moved, release)
    }
  }, [box, scrollToEnd])

  // A person who says something wants to see it.
  const last = rows.at(-1)
  const sent = last && 'letter' in last ? last.key : null
  useEffect(() => {
    if (sent !== null) toEnd()
  }, [sent, toEnd])

  return {
    follows,
    /** How many rows came since one left the end. */
    fresh: seen === null ? 0 : newerRows(rows, seen),
    toEnd,
    stay,
    /** Tells where the list is now. */
    onScroll(isUp: boolean) {
      // Asked of the page itself: the list measures later, and a window that grew looks like scrolling.
      const scroller = box.current?.querySelector('.entry-list')
      if (!scroller) return
      const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
      if (left >= nearPx) return isUp ? leave() : undefined
      if (!isHeld.current) toEnd()
    },
  }
}
