import { usePage } from '../state/page.ts'
import { toggleList } from '../state/panels.ts'
import { goTo } from '../state/place.ts'
import { useStore } from '../state/store.ts'
import { titleOf } from '../sessions/title-of.ts'
import { ListIcon } from './icons.tsx'
import { Mark } from './mark.tsx'
import { ThemeButton } from './theme-button.tsx'

/** No session is open: start one, or go on with the last. */
export function Welcome({ onStart }: { onStart: () => void }) {
  const { sessions } = usePage()
  const [last] = useStore(sessions.sessions) ?? []
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
        <button className="button is-go" type="button" onClick={onStart}>
          Start a session
        </button>
        {last && (
          <button className="button" type="button" onClick={() => goTo(last.id)}>
            Go on with “{titleOf(last)}”
          </button>
        )}
      </main>
    </>
  )
}
