import { useEffect } from 'react'
import type { SessionId } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import { change } from '../state/settings.ts'

/** The terminal shows itself once, when the model first runs something. It does not take the focus. */
export function useTerminalOpens(id: SessionId, { state }: View): void {
  const isDriven = state.runs.some((run) => run.source === 'model' && run.lane === 'terminal')
  useEffect(() => {
    const place = `tandem.shown.${id}`
    if (!isDriven || sessionStorage.getItem(place) !== null) return
    sessionStorage.setItem(place, 'yes')
    change({ terminalOpen: true })
  }, [id, isDriven])
}
