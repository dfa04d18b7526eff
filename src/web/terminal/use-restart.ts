import { useEffect, useState } from 'react'
import type { View } from '../../view/view.ts'
import type { LiveTerminal } from './live-terminal.ts'
import type { TerminalActions } from './panel-props.ts'

export interface Restart {
  /** The shell has ended; nothing is lost by a new one. */
  isOver: boolean
  press: () => void
}

/** Ends the shell if it lives; then looking at the terminal anew starts the next one. */
export function useRestart(
  { terminal }: View,
  actions: TerminalActions,
  live: LiveTerminal | null,
): Restart {
  const [isWanted, setWanted] = useState(false)
  const isOver = terminal?.phase === 'exited'
  useEffect(() => {
    if (!isWanted || !isOver) return
    setWanted(false)
    live?.renew()
  }, [isWanted, isOver, live])
  return {
    isOver,
    press() {
      setWanted(true)
      if (!isOver) void actions.interrupt('restart')
    },
  }
}
