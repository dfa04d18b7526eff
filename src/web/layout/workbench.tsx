import { announcement, complain } from '../state/toasts.ts'
import { dialog, toggleList, listDrawn, useNarrow } from '../state/panels.ts'
import { usePage, goTo, place } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { titleOf } from '../../view/words/who.ts'
import { Boundary, Broken, Complaints, Mark } from '../parts/boundary.tsx'
import { ListIcon } from '../parts/icons.tsx'
import { ThemeButton } from './header.tsx'
import { lazy, Suspense, useEffect } from 'react'
import { SessionListView } from '../sessions/session-list.tsx'
import { settings } from '../state/settings.ts'
import { SessionScreen } from './session-screen.tsx'
import { Button, LinkButton } from '../parts/buttons.tsx'

/** Messages about what has just happened, and what can still be taken back. */
function ToastStack() {
  const { sessions } = usePage()
  const leaving = useStore(sessions.leaving)
  const isCovered = useStore(dialog) !== 'none'
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite">
        {useStore(announcement)}
      </div>
      <div className="toasts">
        {leaving && (
          <div className="toast" role="status">
            <span>Deleted “{titleOf(leaving)}”</span>
            <LinkButton onClick={sessions.undo}>Undo</LinkButton>
          </div>
        )}
        {!isCovered && <Complaints />}
      </div>
    </>
  )
}

/** No session is open: start one, or go on with the last. */
function Welcome({ onStart }: { onStart: () => void }) {
  const { sessions } = usePage()
  const [last] = useStore(sessions.list) ?? []
  return (
    <>
      <header className="header">
        <button className="icon-button" type="button" aria-label="Sessions" onClick={toggleList}>
          <ListIcon />
        </button>
        <span className="header-space" />
        <ThemeButton />
      </header>
      <main className="welcome">
        <Mark size={56} />
        <h1>tandem</h1>
        <p>A person and a model, in one shell.</p>
        <Button isGo onClick={onStart}>
          Start a session
        </Button>
        {last && <Button onClick={() => goTo(last.id)}>Go on with “{titleOf(last)}”</Button>}
      </main>
    </>
  )
}

const NewSession = lazy(() =>
  import('../dialogs/new-session.tsx').then((module) => ({ default: module.NewSession })),
)

const undraw = () => listDrawn.set(false)

/** The page: sessions at the side, one of them open. */
export function Workbench() {
  const { sessions } = usePage()
  const open = useStore(place)
  const { listOpen } = useStore(settings)
  const isDrawn = useStore(listDrawn)
  const isNarrow = useNarrow()
  useRefreshing()
  const isListShown = isNarrow ? isDrawn : listOpen

  async function start(): Promise<void> {
    const folder = await sessions.firstFolder()
    if (folder === null) dialog.set('new')
    else goTo(await sessions.create(folder))
  }

  return (
    <div
      className={`workbench${isListShown ? ' has-list' : ''}`}
      onKeyDown={(event) => event.key === 'Escape' && isDrawn && undraw()}
    >
      {isListShown && <SessionListView onPicked={undraw} />}
      {isListShown && isNarrow && (
        <button className="scrim" type="button" aria-label="Close the sessions" onClick={undraw} />
      )}
      <div className="stage">
        {open === null ? (
          <Welcome onStart={() => void start().catch(complain)} />
        ) : (
          <SessionScreen key={open} id={open} />
        )}
      </div>
      {useStore(dialog) === 'new' && (
        <Boundary fallback={<Broken what="The dialog" />}>
          <Suspense>
            <NewSession />
          </Suspense>
        </Boundary>
      )}
      <ToastStack />
    </div>
  )
}

const everyMs = 15_000

/** The list is asked for again when one comes back to the page, and now and then. */
function useRefreshing(): void {
  const { sessions } = usePage()
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) void sessions.refresh()
    }
    refresh()
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [sessions])
}
