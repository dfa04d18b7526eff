import { terminalRun } from '../../log/open.ts'
import type { Interrupt } from '../../protocol/intent.ts'
import type { Seq } from '../../protocol/seq.ts'
import { findEntry } from '../../view/entry-list.ts'
import type { RunEntry, RunResult } from '../../view/entry.ts'
import type { View } from '../../view/view.ts'

interface Rung {
  label: string
  signal: Interrupt['signal']
  /** While it still runs after that. */
  sent: string
}

export const ladder: readonly Rung[] = [
  { label: 'Stop', signal: 'int', sent: 'Ctrl+C sent; it still runs. The next step is TERM.' },
  { label: 'End it', signal: 'term', sent: 'TERM sent; it still runs. The next step is KILL.' },
  { label: 'Kill it', signal: 'kill', sent: 'KILL sent; only a new shell is stronger.' },
]

/** The entry of what runs in the terminal now. */
export function runningEntry({ state, entries }: View): RunEntry | null {
  const run = terminalRun(state)
  return run ? runEntryAt(entries, run.request ?? run.seq) : null
}

export function runEntryAt(entries: View['entries'], seq: Seq): RunEntry | null {
  const entry = findEntry(entries, seq)
  return entry?.kind === 'run' ? entry : null
}

/** Which step of the ladder took effect, as its end tells. */
export function stopEffect({ state }: RunEntry): string {
  return state.phase === 'settled' && state.result ? effect(state.result) : 'It did not start.'
}

const interrupted = 130
const terminated = 143
const killed = 137

function effect({ outcome, exitCode, signal }: RunResult): string {
  if (outcome === 'shell_exited') return 'The shell itself had to be restarted.'
  if (outcome !== 'ended') return 'It is gone; how it ended is not known.'
  if (signal === 'SIGKILL' || exitCode === killed) return 'Stopped by KILL.'
  if (signal === 'SIGTERM' || exitCode === terminated) return 'Stopped by TERM.'
  if (signal === 'SIGINT' || exitCode === interrupted) return 'Stopped by Ctrl+C.'
  return exitCode === null ? 'Stopped.' : `It ended by itself (exit ${exitCode}).`
}
