import { useEffect } from 'react'
import { shellEnd } from '../../view/shell-end.ts'
import type { View } from '../../view/view.ts'
import type { LiveTerminal } from './live-terminal.ts'
import type { TerminalActions } from './panel-props.ts'

export interface Restart {
  /** The shell has ended; nothing is lost by a new one. */
  isOver: boolean
  label: string
  press: () => void
}

/** Ends the shell if it lives. Whoever restarted it: looking at the terminal anew starts the next one. */
export function useRestart(
  view: View,
  actions: TerminalActions,
  live: LiveTerminal | null,
): Restart {
  const phase = view.terminal?.phase
  const isOver = phase === 'exited' || phase === 'moved'
  const isAwaited = isOver && shellEnd(view) === 'restarted'
  useEffect(() => {
    if (isAwaited) live?.renew()
  }, [isAwaited, live])
  return {
    isOver,
    // The one that moved goes on elsewhere and is not touched.
    label: phase === 'moved' ? 'New shell' : 'Restart',
    press() {
      if (isOver) live?.renew()
      else void actions.interrupt('restart')
    },
  }
}
