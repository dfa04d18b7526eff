import { useMemo, useState } from 'react'
import { IconButton } from '../parts/buttons.tsx'
import { PlusIcon, SearchIcon } from '../parts/icons.tsx'
import { Mark } from '../parts/boundary.tsx'
import { dialog } from '../state/panels.ts'
import { usePage, goTo, place } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { complain } from '../state/toasts.ts'
import { folderName, titleOf } from '../../view/words/who.ts'
import { SessionRow } from './session-row.tsx'

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
