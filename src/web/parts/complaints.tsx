import { useStore } from '../state/use-store.ts'
import { dismiss, toasts } from '../state/toasts.ts'
import { CloseIcon } from './icons.tsx'

/** Two prompts side by side: the person's and the shell's. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-chat" d="M6 8l8 8-8 8" />
      <path className="mark-bash" d="M17 8l8 8-8 8" />
    </svg>
  )
}

/** Complaints: requests that were refused or failed. */
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
