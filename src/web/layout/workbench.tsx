import { lazy, Suspense, useEffect } from 'react'
import { SessionListView } from '../sessions/session-list.tsx'
import { useFirstFolder } from '../sessions/use-first-folder.ts'
import { dialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { listDrawn, narrow } from '../state/panels.ts'
import { goTo, place } from '../state/place.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/store.ts'
import { complain } from '../state/toasts.ts'
import { SessionScreen } from './session-screen.tsx'
import { ToastStack } from './toast-stack.tsx'
import { useMedia } from './use-media.ts'
import { Welcome } from './welcome.tsx'

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
  const isNarrow = useMedia(narrow)
  useRefreshing()
  const isListShown = isNarrow ? isDrawn : listOpen
  const firstFolder = useFirstFolder()

  async function start(): Promise<void> {
    const folder = await firstFolder()
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
          <SessionScreen key={open} id={open} isNarrow={isNarrow} />
        )}
      </div>
      <Suspense>{useStore(dialog) === 'new' && <NewSession />}</Suspense>
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
