import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Older } from '../../client/feed.ts'
import { DownIcon } from '../layout/icons.tsx'
import { EntryView } from './entry.tsx'
import { LetterView } from './letter.tsx'
import { askedRows, type Row } from './rows.ts'

interface EntryListProps {
  rows: readonly Row[]
  older: Older
  onOlder: () => void
}

/** So near the end counts as at the end. */
const nearPx = 48
/** Older entries are loaded before one gets there. */
const aheadPx = 800

/** The chat. It follows its end only while one is there. */
export function EntryList({ rows, older, onOlder }: EntryListProps) {
  const list = useRef<VListHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const offset = useRef(0)
  const [seen, setSeen] = useState<number | null>(null)
  const follows = seen === null
  const followsNow = useRef(true)
  followsNow.current = follows
  const firstKey = useRef(rows[0]?.key)
  const isPrepended =
    rows.length > 0 && firstKey.current !== rows[0]?.key && firstKey.current !== undefined
  useLayoutEffect(() => {
    firstKey.current = rows[0]?.key
  })

  const toEnd = useCallback(() => {
    const handle = list.current
    if (handle) handle.scrollTo(handle.scrollSize)
  }, [])

  useLayoutEffect(() => {
    if (follows) toEnd()
  }, [rows, follows, toEnd])

  // Outputs arrive and blocks open after a row is drawn.
  useEffect(() => {
    const content = box.current?.querySelector('.entry-list')?.firstElementChild
    if (!content) return
    const observer = new ResizeObserver(() => followsNow.current && toEnd())
    observer.observe(content)
    return () => observer.disconnect()
  }, [toEnd])

  function onScroll(next: number): void {
    const handle = list.current
    if (!handle) return
    const isUp = next < offset.current
    offset.current = next
    const isAtEnd = handle.scrollSize - next - handle.viewportSize < nearPx
    if (isAtEnd) setSeen(null)
    else if (isUp) setSeen((before) => before ?? rows.length)
    if (isUp && next < aheadPx && older === 'more') onOlder()
  }

  const asked = useMemo(() => askedRows(rows), [rows])
  const fresh = seen === null ? 0 : Math.max(0, rows.length - seen)
  return (
    <div className="entry-list-box" ref={box}>
      {older === 'loading' && rows.length > 0 && <p className="older">Loading earlier entries…</p>}
      <VList
        ref={list}
        className="entry-list"
        shift={isPrepended}
        onScroll={onScroll}
        bufferSize={600}
        keepMounted={asked}
        role="log"
        aria-label="Chat"
        aria-live="off"
        tabIndex={0}
        data={rows}
      >
        {(row) => (
          <div className="row" key={row.key} data-row={row.key}>
            {'entry' in row ? <EntryView entry={row.entry} /> : <LetterView letter={row.letter} />}
          </div>
        )}
      </VList>
      {!follows && (
        <button className="jump" type="button" onClick={() => setSeen(null)}>
          <DownIcon /> {fresh > 0 ? `${fresh} new` : 'Latest'}
        </button>
      )}
    </div>
  )
}
