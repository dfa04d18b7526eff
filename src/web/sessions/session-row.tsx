import { useRef, useState, type KeyboardEvent } from 'react'
import { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { SessionSummary } from '../../protocol/http/session-view.ts'
import { clockTime, dayOrTime } from '../../view/words/clock.ts'
import { isComposed } from '../../view/composer/keys.ts'
import { Menu } from '../parts/menu.tsx'
import { usePage, goTo, place } from '../state/page.ts'
import { complain } from '../state/toasts.ts'
import { useExport } from './use-export.ts'
import { titleOf } from '../../view/words/who.ts'

interface SessionRowProps {
  session: SessionSummary
  isOpen: boolean
  onPick: () => void
}

export function SessionRow({ session, isOpen, onPick }: SessionRowProps) {
  const { sessions } = usePage()
  const row = useRef<HTMLLIElement>(null)
  const [renaming, setRenaming] = useState<'no' | 'now' | 'done'>('no')
  const save = useExport(session.id)
  const title = titleOf(session)
  if (renaming === 'now')
    return <Rename session={session} onDone={(isByKey) => setRenaming(isByKey ? 'done' : 'no')} />
  return (
    <li className={`session-row${isOpen ? ' is-open' : ''}`} ref={row}>
      <button
        className="session-pick"
        type="button"
        aria-current={isOpen ? 'page' : undefined}
        // A person who renamed it by keys is where they were before.
        autoFocus={renaming === 'done'}
        onClick={onPick}
      >
        <span className={`live-dot${session.live ? ' is-live' : ''}`} aria-hidden="true" />
        <span className="session-title">
          <bdi>{title}</bdi>
        </span>
        <span className="session-time" title={clockTime(session.updatedAt, Date.now())}>
          {dayOrTime(session.updatedAt, Date.now())}
        </span>
      </button>
      <Menu
        label={`More for ${title}`}
        items={[
          { label: 'Rename…', act: () => setRenaming('now') },
          ...ExportFormat.options.map((format) => ({
            label: `Export as ${format}`,
            act: () => void save(format),
          })),
          {
            label: 'Delete',
            isGrave: true,
            act() {
              focusBeside(row.current)
              if (place.get() === session.id) goTo(null)
              sessions.remove(session)
            },
          },
        ]}
      />
    </li>
  )
}

/** The row goes, and the keyboard stays in the list. */
function focusBeside(row: HTMLElement | null): void {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  beside?.querySelector<HTMLElement>('.session-pick')?.focus()
}

interface RenameProps {
  session: SessionSummary
  onDone: (isByKey: boolean) => void
}

function Rename({ session, onDone }: RenameProps) {
  const { sessions } = usePage()
  const [title, setTitle] = useState(session.title ?? '')
  const isOver = useRef(false)

  async function end(by: 'Escape' | 'Enter' | 'blur'): Promise<void> {
    if (isOver.current) return
    isOver.current = true
    if (by !== 'Escape' && title.trim() !== '' && title !== session.title)
      await sessions.rename(session.id, title).catch(complain)
    onDone(by !== 'blur')
  }

  function onKey({ key, nativeEvent }: KeyboardEvent): void {
    if ((key === 'Escape' || key === 'Enter') && !isComposed(nativeEvent)) void end(key)
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
        onBlur={() => void end('blur')}
      />
    </li>
  )
}
