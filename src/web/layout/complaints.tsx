import { useStore } from '../state/store.ts'
import { dismiss, toasts } from '../state/toasts.ts'
import { CloseIcon } from './icons.tsx'

/** What was asked for and did not happen. */
export function Complaints() {
  return useStore(toasts).map(({ id, text }) => (
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
  ))
}
