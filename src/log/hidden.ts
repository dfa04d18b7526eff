import { limits } from '../protocol/limits.ts'
import type { RunEnd, RunStart } from '../protocol/run.ts'
import type { SessionUpdate } from '../protocol/session.ts'
import type { ShellStart } from '../protocol/shell.ts'
import type { Hidden, SessionState } from './state.ts'

type Privacy = Pick<SessionState, 'hidden' | 'private'>
type Ended = Pick<RunEnd, 'outcome' | 'shown' | 'ptyFrom' | 'ptyTo'>

/** No end is known yet. A number, because a state must survive JSON. */
const open = Number.MAX_SAFE_INTEGER

/** In private mode whatever is typed and printed is hidden. */
export function hiddenByMode(state: Privacy, { private: next, ptyAt }: SessionUpdate): Hidden {
  if (next === undefined || next === state.private) return state.hidden
  if (next) return hide(state.hidden, { from: ptyAt ?? 0, to: open })
  // At 0 no shell was there to say where it is; the next one says it.
  return ptyAt ? hideUntil(state.hidden, ptyAt) : state.hidden
}

export function hiddenAtShell(state: Privacy, { ptyFrom }: Pick<ShellStart, 'ptyFrom'>): Hidden {
  return state.private || ptyFrom === undefined ? state.hidden : hideUntil(state.hidden, ptyFrom)
}

/** A run in the terminal has ended: what it printed is not what an earlier one left behind. */
export function hiddenAfterRun(state: Privacy, run: Pick<RunStart, 'private'>, end: Ended): Hidden {
  const { ptyFrom } = end
  const isKept = state.private || ptyFrom === null
  const hidden = isKept ? state.hidden : hideUntil(state.hidden, ptyFrom)
  return run.private ? hideRun(hidden, end) : hidden
}

/** Where its place is not known, all is hidden until something else runs. */
function hideRun(hidden: Hidden, { outcome, shown, ptyFrom, ptyTo }: Ended): Hidden {
  if (shown !== undefined) return hide(hidden, { from: shown.from, to: shown.to ?? open })
  if (ptyFrom !== null && ptyTo !== null) return hide(hidden, { from: ptyFrom, to: ptyTo })
  return outcome === 'not_started' ? hidden : hide(hidden, { from: 0, to: open })
}

function hideUntil(hidden: Hidden, to: number): Hidden {
  return hidden.map((range) => (range.to === open && range.from <= to ? { ...range, to } : range))
}

/** Older ones are kept as one: whoever looks back so far sees nothing of what lies between. */
function hide(hidden: Hidden, range: Hidden[number]): Hidden {
  const all = [...hidden, range]
  const [first, second, ...rest] = all
  if (all.length <= limits.hiddenRanges || !first || !second) return all
  const from = Math.min(first.from, second.from)
  return [{ from, to: Math.max(first.to, second.to) }, ...rest]
}
