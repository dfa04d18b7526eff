import { useState } from 'react'
import type { Interrupt } from '../../protocol/intent.ts'
import type { Seq } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import type { TerminalActions } from './panel-props.ts'
import { ladder, runEntryAt, runningEntry, stopEffect } from './stop-step.ts'

export interface Stop {
  label: string
  /** Null when nothing runs that could be stopped. */
  press: (() => void) | null
  /** What the last stop has come to; null before the first. */
  step: string | null
}

interface Pressed {
  run: Seq
  times: number
  /** The server climbs the ladder by itself when a turn is ended. */
  isTurn: boolean
}

/** Ctrl+C first, and the end of the turn whose run it is; each press after it is a stronger one. */
export function useStop(view: View, actions: TerminalActions): Stop {
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const running = runningEntry(view)
  const isSame = running !== null && pressed?.run === running.seq
  const times = isSame ? pressed.times : 0
  const next = ladder[times]

  function press(run: Seq, signal: Interrupt['signal']): void {
    const isTurn = isSame ? pressed.isTurn : running?.source === 'model' && view.state.turn !== null
    setPressed({ run, times: times + 1, isTurn })
    void (isTurn && times === 0 ? actions.abort() : actions.interrupt(signal))
  }

  return {
    label: next?.label ?? 'Stop',
    press: running && next ? () => press(running.seq, next.signal) : null,
    step: pressed && (isSame || running === null) ? stepOf(view, pressed) : null,
  }
}

function stepOf({ entries }: View, { run, times, isTurn }: Pressed): string | null {
  const entry = runEntryAt(entries, run)
  if (entry === null) return null
  if (entry.state.phase !== 'running') return stopEffect(entry)
  if (entry.state.note === 'killing') return 'It ignored Ctrl+C and TERM: killing it…'
  if (isTurn && times === 1) return 'Ctrl+C sent. TERM follows after 2 s, KILL after 5 s…'
  return ladder[times - 1]?.sent ?? null
}
