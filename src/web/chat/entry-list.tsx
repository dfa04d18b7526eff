import { useLayoutEffect, useMemo, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Older } from '../../client/feed.ts'
import { DownIcon } from '../layout/icons.tsx'
import { EntryView } from './entry.tsx'
import { LetterView } from './letter.tsx'
import { askedRows, type Row } from './rows.ts'
import { useFollow } from './use-follow.ts'

interface EntryListProps {
  rows: readonly Row[]
  older: Older
  onOlder: () => void
}

/** Older entries are loaded before one gets there. */
const aheadPx = 800

/** The chat: only what is near is drawn. */
export function EntryList({ rows, older, onOlder }: EntryListProps) {
  const list = useRef<VListHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const { follows, fresh, toEnd, onScroll } = useFollow(list, box, rows)
  const isPrepended = useIsPrepended(rows[0]?.key)
  const offset = useRef(0)
  const asked = useMemo(() => askedRows(rows), [rows])

  function scrolled(next: number): void {
    const isUp = next < offset.current
    offset.current = next
    onScroll(isUp)
    if (isUp && next < aheadPx && older === 'more') onOlder()
  }

  return (
    <div className="entry-list-box" ref={box}>
      {older === 'loading' && rows.length > 0 && <p className="older">Loading earlier entries…</p>}
      <VList
        ref={list}
        className="entry-list"
        shift={isPrepended}
        onScroll={scrolled}
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
            {'letter' in row ? (
              <LetterView letter={row.letter} />
            ) : (
              <EntryView entry={row.entry} part={row.part} />
            )}
          </div>
        )}
      </VList>
      {!follows && (
        <button className="jump" type="button" onClick={toEnd}>
          <DownIcon /> {fresh > 0 ? `${fresh} new` : 'Latest'}
        </button>
      )}
    </div>
  )
}

/** Whether rows were put before the one that was the first; what is in sight then stays. */
function useIsPrepended(first: string | undefined): boolean {
  const before = useRef(first)
  const isPrepended = before.current !== undefined && before.current !== first
  useLayoutEffect(() => {
    before.current = first
  })
  return isPrepended
}
