import { useMemo, useState } from 'react'
import { PlusIcon, SearchIcon } from '../layout/icons.tsx'
import { Mark } from '../layout/mark.tsx'
import { dialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { goTo, place } from '../state/place.ts'
import { useStore } from '../state/store.ts'
import { complain } from '../state/toasts.ts'
import { folderName, titleOf } from './title-of.ts'
import { SessionRow } from './session-row.tsx'
import { useFirstFolder } from './use-first-folder.ts'

/** Every session, newest first, by workspace. */
export function SessionListView({ onPicked }: { onPicked?: () => void }) {
  const { sessions } = usePage()
  const all = useStore(sessions.sessions)
  const leaving = useStore(sessions.leaving)
  const open = useStore(place)
  const [words, setWords] = useState('')
  const firstFolder = useFirstFolder()
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
    const workspace = all?.find(({ id }) => id === open)?.workspace ?? (await firstFolder())
    if (workspace === null) return dialog.set('new')
    goTo(await sessions.create(workspace))
    onPicked?.()
  }

  return (
    <nav className="sessions" aria-label="Sessions">
      <div className="sessions-head">
        <Mark />
        <span className="wordmark">tandem</span>
        <button
          className="icon-button"
          type="button"
          aria-label="New session"
          title="New session (Alt+N)"
          onClick={() => void create().catch(complain)}
        >
          <PlusIcon />
        </button>
      </div>
      <label className="sessions-search">
        <SearchIcon />
        <input
          id="session-search"
          type="search"
          placeholder="Search sessions"
          aria-label="Search sessions"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </label>
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
                      onPicked?.()
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
