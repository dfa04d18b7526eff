import { useState } from 'react'
import type { View } from '../../view/fold/view.ts'
import { stopStep, type Pressed } from '../../view/words/stop.ts'
import { useSession } from '../state/session.ts'

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
