import { useState, useEffect } from 'react'
import type { View } from '../../view/fold/view.ts'
import { stopStep, type Pressed } from '../../view/words/stop.ts'
import { useSession } from '../state/session.ts'
import { shellEnd } from '../../view/status.ts'
import type { LiveTerminal } from './xterm/live-terminal.ts'

/** The terminal's own Stop: it climbs while it is pressed on. */
export function useStop(view: View) {
  const { stop, interrupt } = useSession()
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const { label, next, told } = stopStep(view, pressed)
  return {
    label,
    /** Null when nothing runs that could be stopped. */
    press:
      next &&
      (() => {
        setPressed(next.pressed)
        void (next.asks === 'turn' ? stop() : interrupt(next.asks))
      }),
    /** The effect of the last stop; null before the first. */
    told,
  }
}

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
