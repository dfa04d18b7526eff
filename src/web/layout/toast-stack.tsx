import { announcement } from '../state/announcements.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/store.ts'
import { dismiss, toasts } from '../state/toasts.ts'
import { titleOf } from '../sessions/title-of.ts'
import { CloseIcon } from './icons.tsx'

/** What has just happened, and what can still be taken back. */
export function ToastStack() {
  const { sessions } = usePage()
  const shown = useStore(toasts)
  const leaving = useStore(sessions.leaving)
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite">
        {useStore(announcement)}
      </div>
      <div className="toasts">
        {leaving && (
          <div className="toast" role="status">
            <span>Deleted “{titleOf(leaving)}”</span>
            <button className="link-button" type="button" onClick={sessions.undo}>
              Undo
            </button>
          </div>
        )}
        {shown.map(({ id, text }) => (
          <div key={id} className="toast is-problem" role="alert">
            <span>{text}</span>
            <button
              className="icon-button quiet"
              type="button"
              aria-label="Dismiss"
              onClick={() => dismiss(id)}
            >
              <CloseIcon />
            </button>
          </div>
        ))}
      </div>
    </>
  )
}
