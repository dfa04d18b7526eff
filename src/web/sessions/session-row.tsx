import { useState, type KeyboardEvent } from 'react'
import type { SessionSummary } from '../../protocol/session-view.ts'
import { clockTime } from '../chat/clock-time.ts'
import { Menu } from '../layout/menu.tsx'
import { usePage } from '../state/page.ts'
import { goTo, place } from '../state/place.ts'
import { complain } from '../state/toasts.ts'
import { useExport } from './use-export.ts'
import { titleOf } from './title-of.ts'

interface SessionRowProps {
  session: SessionSummary
  isOpen: boolean
  onPick: () => void
}

export function SessionRow({ session, isOpen, onPick }: SessionRowProps) {
  const { sessions } = usePage()
  const [isRenamed, setRenamed] = useState(false)
  const { formats, save } = useExport(session.id)
  const title = titleOf(session)
  if (isRenamed) return <Rename session={session} onDone={() => setRenamed(false)} />
  return (
    <li className={`session-row${isOpen ? ' is-open' : ''}`}>
      <button
        className="session-pick"
        type="button"
        aria-current={isOpen ? 'page' : undefined}
        onClick={onPick}
      >
        <span className={`live-dot${session.live ? ' is-live' : ''}`} aria-hidden="true" />
        <span className="session-title">
          <bdi>{title}</bdi>
        </span>
        <span className="session-time">{clockTime(session.updatedAt)}</span>
      </button>
      <Menu
        label={`More for ${title}`}
        items={[
          { label: 'Rename…', act: () => setRenamed(true) },
          ...formats.map((format) => ({
            label: `Export as ${format}`,
            act: () => void save(format),
          })),
          {
            label: 'Delete',
            isGrave: true,
            act() {
              if (place.get() === session.id) goTo(null)
              sessions.remove(session)
            },
          },
        ]}
      />
    </li>
  )
}

function Rename({ session, onDone }: { session: SessionSummary; onDone: () => void }) {
  const { sessions } = usePage()
  const [title, setTitle] = useState(session.title ?? '')
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') onDone()
    if (event.key === 'Enter') void save()
  }
  async function save(): Promise<void> {
    if (title.trim() !== '' && title !== session.title)
      await sessions.rename(session.id, title).catch(complain)
    onDone()
  }
  return (
    <li className="session-row">
      <input
        className="session-rename"
        autoFocus
        aria-label="New title"
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKey}
        onBlur={() => void save()}
      />
    </li>
  )
}
