import { useEffect } from 'react'
import { shellEnd } from '../../view/status.ts'
import type { View } from '../../view/fold/view.ts'
import type { LiveTerminal } from './xterm/live-terminal.ts'
import { useSession } from '../state/session.ts'

/** Ends the shell if it lives. Whoever restarted it: looking at the terminal anew starts the next one. */
export function useRestart(view: View, live: LiveTerminal | null) {
  const { interrupt } = useSession()
  const phase = view.terminal?.phase
  const isOver = phase === 'exited' || phase === 'moved'
  const isAwaited = isOver && shellEnd(view) === 'restarted'
  useEffect(() => {
    if (isAwaited) live?.renew()
  }, [isAwaited, live])
  return {
    /** The shell has ended; nothing is lost by a new one. */
    isOver,
    // The one that moved goes on elsewhere and is not touched.
    label: phase === 'moved' ? 'New shell' : 'Restart',
    press() {
      if (isOver) live?.renew()
      else void interrupt('restart')
    },
  }
}
