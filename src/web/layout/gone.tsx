import { goTo } from '../state/place.ts'

/** The session cannot be shown any more: it says why. */
export function Gone({ error, onList }: { error: unknown; onList: () => void }) {
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
          onList()
        }}
      >
        Other sessions
      </button>
    </div>
  )
}
