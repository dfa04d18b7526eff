import { useMemo, useState, useRef, type KeyboardEvent } from 'react'
import { IconButton } from '../parts/buttons.tsx'
import { PlusIcon, SearchIcon } from '../parts/icons.tsx'
import { Mark } from '../parts/boundary.tsx'
import { dialog } from '../state/panels.ts'
import { usePage, goTo, place } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { complain } from '../state/toasts.ts'
import { folderName, titleOf } from '../../view/words/who.ts'
import { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { SessionSummary } from '../../protocol/http/session-view.ts'
import { clockTime, dayOrTime } from '../../view/words/clock.ts'
import { isComposed } from '../../view/composer/keys.ts'
import { Menu } from '../parts/menu.tsx'
import { useExport } from './use-export.ts'

/** Every session, newest first, by workspace. */
export function SessionListView({ onPicked }: { onPicked: () => void }) {
  const { sessions } = usePage()
  const all = useStore(sessions.list)
  const damage = useStore(sessions.damage)
  const leaving = useStore(sessions.leaving)
  const open = useStore(place)
  const [words, setWords] = useState('')
  const shown = useMemo(() => {
    const wanted = words.trim().toLowerCase()
    return (all ?? []).filter(
      (session) =>
        session.id !== leaving?.id &&
        `${titleOf(session)} ${session.workspace}`.toLowerCase().includes(wanted),
    )
  }, [all, words, leaving])
  const folders = [...new Set(shown.map(({ workspace }) => workspace))]

  async function create(): Promise<void> {
    const workspace =
      all?.find(({ id }) => id === open)?.workspace ?? (await sessions.firstFolder())
    if (workspace === null) return dialog.set('new')
    goTo(await sessions.create(workspace))
    onPicked()
  }

  return (
    <nav className="sessions" aria-label="Sessions">
      <div className="sessions-head">
        <Mark />
        <span className="wordmark">tandem</span>
        <IconButton
          label="New session"
          title="New session (Alt+N)"
          onClick={() => void create().catch(complain)}
        >
          <PlusIcon />
        </IconButton>
      </div>
      <Search words={words} onWords={setWords} />
      {damage !== null && (
        <p className="sessions-damage" role="alert">
          {damage.message}
        </p>
      )}
      <div className="sessions-rows">
        {folders.map((folder) => (
          <section key={folder} aria-label={folder}>
            <h2 title={folder}>
              <bdi>{folderName(folder)}</bdi>
            </h2>
            <ul>
              {shown
                .filter(({ workspace }) => workspace === folder)
                .map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    isOpen={session.id === open}
                    onPick={() => {
                      goTo(session.id)
                      onPicked()
                    }}
                  />
                ))}
            </ul>
          </section>
        ))}
        {all !== null && shown.length === 0 && (
          <p className="sessions-none">{words === '' ? 'No session yet' : 'Nothing found'}</p>
        )}
      </div>
      <button className="sessions-new" type="button" onClick={() => dialog.set('new')}>
        <PlusIcon /> New session in another folder…
      </button>
    </nav>
  )
}

function Search({ words, onWords }: { words: string; onWords: (words: string) => void }) {
  return (
    <label className="sessions-search">
      <SearchIcon />
      <input
        id="session-search"
        type="search"
        placeholder="Search sessions"
        aria-label="Search sessions"
        value={words}
        onChange={(event) => onWords(event.target.value)}
      />
    </label>
  )
}

interface SessionRowProps {
  session: SessionSummary
  isOpen: boolean
  onPick: () => void
}

function SessionRow({ session, isOpen, onPick }: SessionRowProps) {
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
