import { useClear } from '../sessions/use-clear.ts'
import { complain } from '../state/toasts.ts'

/** Starts anew in the same folder; what was said stays in the list of sessions. */
export function ClearButton() {
  const clear = useClear()
  return (
    <button
      className="palette-button is-clear"
      type="button"
      title="New session in this folder (Alt+N)"
      onClick={() => void clear().catch(complain)}
    >
      Clear
    </button>
  )
}
