import { isRun } from '../../view/composer/input-kind.ts'
import { collapse } from '../../view/text/collapse.ts'
import type { Pending } from '../../view/rows/letter.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { LongText } from './long-text.tsx'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VList } from 'virtua'
import type { Older } from '../../client/session/feed.ts'
import { DownIcon } from '../parts/icons.tsx'
import { EntryView } from './entry.tsx'
import { askedRows, type Row } from '../../view/rows/rows.ts'
import { StayContext, useFollow } from './use-follow.ts'
import { LinkButton } from '../parts/buttons.tsx'

/** A text on its way: drawn at once, from what was typed. What it becomes the session will say. */
function LetterView({ letter }: { letter: Pending }) {
  const { takeBack } = useSession()
  const isWaiting = letter.state.phase === 'waiting'
  const note = isWaiting ? (
    <span className="letter-note">
      waits for the server
      <LinkButton onClick={() => takeBack(letter)}>Take back</LinkButton>
    </span>
  ) : null
  if (!isRun(letter.text, letter.as))
    return (
      <article className="prompt is-pending">
        <span className="prompt-sign" aria-hidden="true">
          &gt;
        </span>
        <p dir="auto">
          <LongText text={letter.text} />
        </p>
        {note}
      </article>
    )
  return (
    <article className="msg-shell is-pending" aria-label={`Command: ${letter.text}`}>
      <header>
        <p className="run-line">
          <span className="run-glyph">🖥 </span>
          <CommandText command={collapse(letter.text).shown} />{' '}
          <span className="run-state">{note ?? '⏳ Running...'}</span>
        </p>
      </header>
    </article>
  )
}

/** Older entries are loaded before one gets there. */
const aheadPx = 800

/** The chat: only what is near is drawn. */
export function EntryList({ rows, older }: { rows: readonly Row[]; older: Older }) {
  const { loadOlder } = useSession()
  const box = useRef<HTMLDivElement>(null)
  const { follows, fresh, toEnd, stay, onScroll } = useFollow(box, rows)
  const isPrepended = useIsPrepended(rows[0]?.key)
  const offset = useRef(0)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    // A list that is not full never scrolls. Once it is drawn, and has gone to its end.
    const look = () =>
      setNear((box.current?.querySelector('.entry-list')?.scrollTop ?? 0) < aheadPx)
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(look)))
    return () => cancelAnimationFrame(frame)
  }, [older, rows.length])
  const asked = useMemo(() => askedRows(rows), [rows])

  function scrolled(next: number): void {
    const isUp = next < offset.current
    offset.current = next
    onScroll(isUp)
    setNear(next < aheadPx)
    if (isUp && next < aheadPx && older === 'more') loadOlder()
  }

  return (
    <div className="entry-list-box" ref={box}>
      {(older !== 'loading' || rows.length > 0) && (
        <Earlier older={older} isNear={isNear} onLoad={loadOlder} />
      )}
      <StayContext value={stay}>
        <VList
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
      </StayContext>
      {!follows && (
        <button className="jump" type="button" onClick={toEnd}>
          <DownIcon /> {fresh > 0 ? `${fresh} new` : 'Latest'}
        </button>
      )}
    </div>
  )
}

interface EarlierProps {
  older: Older
  /** The first row is in sight, or nearly. */
  isNear: boolean
  onLoad: () => void
}

/** The way to what is before the first row: a list that is not full cannot be scrolled to it, and nobody scrolls further than to the top. */
function Earlier({ older, isNear, onLoad }: EarlierProps) {
  if (older === 'loading') return <p className="older">Loading earlier entries…</p>
  if (older === 'none' || !isNear) return null
  return (
    <p className="older">
      {older === 'failed' && 'Earlier entries could not be loaded. '}
      <LinkButton onClick={onLoad}>
        {older === 'failed' ? 'Try again' : 'Earlier entries'}
      </LinkButton>
    </p>
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
