import { showList } from '../state/panels.ts'
import { goTo } from '../state/place.ts'

/** The session cannot be shown any more: it says why. */
export function Gone({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : 'This session was deleted.'
  return (
    <div className="gone" role="alert">
      <h1>This session is closed</h1>
      <p>{message}</p>
      <button
        className="button"
        type="button"
        onClick={() => {
          goTo(null)
          showList()
        }}
      >
        Other sessions
      </button>
    </div>
  )
}
