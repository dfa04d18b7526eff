import { terminalRun } from '../../log/open.ts'
import type { Interrupt } from '../../protocol/http/intent.ts'
import type { At, Seq } from '../../protocol/events/seq.ts'
import { eachEntry, findEntry } from '../fold/entry-list.ts'
import type { Entry, RunEntry, RunResult } from '../fold/entry.ts'
import type { View } from '../fold/view.ts'

/** A Stop of the terminal that was pressed: of which run, and how often. */
export interface Pressed {
  run: Seq
  times: number
  /** The server climbs the ladder by itself when a turn is ended. */
  isTurn: boolean
}

export interface StopStep {
  label: string
  /** The next step: what to ask for, and what has been pressed then. Null when nothing runs that could be stopped. */
  next: { asks: 'turn' | Interrupt['signal']; pressed: Pressed } | null
  /** The effect of the last stop; null before the first. */
  told: string | null
}

interface Rung {
  label: string
  signal: Interrupt['signal']
  /** While it still runs after that. */
  sent: string
}

const ladder: readonly Rung[] = [
  { label: 'Stop', signal: 'int', sent: 'Ctrl+C sent; it still runs. The next step is TERM.' },
  { label: 'End it', signal: 'term', sent: 'TERM sent; it still runs. The next step is KILL.' },
  { label: 'Kill it', signal: 'kill', sent: 'KILL sent; only a new shell is stronger.' },
]

/** Ctrl+C first, and the end of the turn whose run it is; each press after it is a stronger one. */
export function stopStep(view: View, pressed: Pressed | null): StopStep {
  const running = runningEntry(view)
  const before = running !== null && pressed?.run === running.seq ? pressed : null
  const told = pressed && isNewest(view, pressed.run) ? effectOf(view, pressed) : null
  const next = running && nextPress(view, running, before)
  return { label: ladder[before?.times ?? 0]?.label ?? 'Stop', next, told }
}

function nextPress(view: View, run: RunEntry, before: Pressed | null): StopStep['next'] {
  const { times, isTurn } = before ?? {
    times: 0,
    isTurn: run.source === 'model' && view.state.turn !== null,
  }
  const rung = ladder[times]
  if (rung === undefined) return null
  const asks = isTurn && times === 0 ? 'turn' : rung.signal
  return { asks, pressed: { run: run.seq, times: times + 1, isTurn } }
}

/** The entry of what runs in the terminal now. */
function runningEntry({ state, entries }: View): RunEntry | null {
  const run = terminalRun(state)
  return run ? runEntryAt(entries, run.request ?? run.seq) : null
}

function runEntryAt(entries: View['entries'], seq: Seq): RunEntry | null {
  const entry = findEntry(entries, seq)
  return entry?.kind === 'run' ? entry : null
}

/** Nothing has started in the terminal since: the words about a run are not read as those about a later one. */
function isNewest({ entries }: View, run: Seq): boolean {
  const since = startOf(findEntry(entries, run))
  for (const entry of eachEntry(entries)) {
    const at = startOf(entry)
    if (at > since || (at === since && entry.seq > run)) return false
  }
  return true
}

/** The time at which a run of the terminal started; for anything else there is none. */
function startOf(entry: Entry | null | undefined): At {
  if (entry?.kind !== 'run' || entry.lane !== 'terminal') return -Infinity
  const { state } = entry
  if (state.phase === 'running') return state.startedAt
  return state.phase === 'settled' ? (state.result?.startedAt ?? -Infinity) : -Infinity
}

function effectOf({ entries }: View, { run, times, isTurn }: Pressed): string | null {
  const entry = runEntryAt(entries, run)
  if (entry === null) return null
  const { state } = entry
  if (state.phase !== 'running')
    return state.phase === 'settled' && state.result ? endOf(state.result) : 'It did not start.'
  if (state.note === 'killing') return 'It ignored Ctrl+C and TERM: killing it…'
  if (isTurn && times === 1) return 'Ctrl+C sent. TERM follows after 2 s, KILL after 5 s…'
  return ladder[times - 1]?.sent ?? null
}

const interrupted = 130
const terminated = 143
const killed = 137

/** Which step of the ladder took effect, as its end tells. */
function endOf({ outcome, exitCode, signal }: RunResult): string {
  if (outcome === 'shell_exited') return 'The shell itself had to be restarted.'
  if (outcome !== 'ended') return 'It is gone; how it ended is not known.'
  if (signal === 'SIGKILL' || exitCode === killed) return 'Stopped by KILL.'
  if (signal === 'SIGTERM' || exitCode === terminated) return 'Stopped by TERM.'
  if (signal === 'SIGINT' || exitCode === interrupted) return 'Stopped by Ctrl+C.'
  return exitCode === null ? 'Stopped.' : `It ended by itself (exit ${exitCode}).`
}
