import { announcement } from '../state/announcements.ts'
import { dialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/store.ts'
import { titleOf } from '../sessions/title-of.ts'
import { Complaints } from './complaints.tsx'

/** What has just happened, and what can still be taken back. */
export function ToastStack() {
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
            <button className="link-button" type="button" onClick={sessions.undo}>
              Undo
            </button>
          </div>
        )}
        {!isCovered && <Complaints />}
      </div>
    </>
  )
}
