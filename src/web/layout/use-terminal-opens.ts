import { useEffect } from 'react'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import { change } from '../state/settings.ts'

/** The terminal shows itself once, when the model first runs something. It does not take the focus. */
export function useTerminalOpens(id: SessionId, { state }: View): void {
  const isDriven = state.runs.some((run) => run.source === 'model' && run.lane === 'terminal')
  useEffect(() => {
    if (isDriven) showOnce(id)
  }, [id, isDriven])
}

/** The same for a command that begins and ends before anything is drawn. */
export function opensTerminal(id: SessionId, event: Event): void {
  if (event.type === 'run_start' && event.source === 'model' && event.lane === 'terminal')
    showOnce(id)
}

function showOnce(id: SessionId): void {
  const place = `tandem.shown.${id}`
  if (sessionStorage.getItem(place) !== null) return
  change({ terminalOpen: true })
  try {
    sessionStorage.setItem(place, 'yes')
  } catch {
    // Without room it shows itself once more.
  }
}
