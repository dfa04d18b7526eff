import type {
  ShellAdopt,
  ShellExit,
  ShellLeave,
  ShellStart,
  TakenShell,
} from '../protocol/events/shell.ts'
import type { RunEnd, RunStart } from '../protocol/events/run.ts'
import type { SessionUpdate } from '../protocol/events/session.ts'
import { limits } from '../protocol/limits.ts'
import { nextStamp } from './open.ts'
import type { SessionState, Hidden } from './state.ts'

type Change = Partial<SessionState>

export function shellStart(state: SessionState, event: ShellStart): Change {
  const { generation, cwd, pid, shell: name, taken } = event
  return {
    shell: { phase: 'live', generation, cwd, pid, name },
    ...nextStamp(state),
    settings: [],
    isReplaced: false,
    isMute: false,
    hidden: hiddenAtShell(state, event),
    // The first shell is no news; a later one means that variables, functions and jobs are gone.
    records: generation > 1 || taken ? [...state.records, event.seq] : state.records,
    ...(taken && shellTaken(event, taken)),
  }
}

/** The state that only its first session knew. */
function shellTaken({ generation, cwd, pid, shell: name }: ShellStart, taken: TakenShell): Change {
  const { session, generation: there, ...known } = taken
  return {
    shell: { phase: 'live', generation, cwd, pid, name, taken: { session, generation: there } },
    ...known,
  }
}

export function shellExit(state: SessionState, event: ShellExit): Change {
  const { generation, movedTo } = event
  const cwd = state.shell.cwd ?? state.workspace
  if (movedTo === undefined)
    return { ...nextStamp(state), shell: { phase: 'gone', generation, cwd } }
  return {
    ...nextStamp(state),
    shell: { phase: 'gone', generation, cwd, movedTo },
    records: [...state.records, event.seq],
  }
}

export function shellAdopt(state: SessionState, event: ShellAdopt): Change {
  const { seq, level, run, command, ptyAt, cwd } = event
  const { shell, levels } = state
  const adopted = { seq, run, command, ptyAt, outerCwd: shell.cwd ?? state.workspace }
  return {
    ...moved(state, cwd),
    levels: level === 0 ? [] : [...levels, adopted],
    lastAdopted: ptyAt,
    isReplaced: state.isReplaced || level === 0,
    isMute: false,
    records: [...state.records, seq],
  }
}

export function shellLeave(state: SessionState, event: ShellLeave): Change {
  return {
    ...moved(state, event.cwd),
    levels: state.levels.slice(0, event.level - 1),
    records: [...state.records, event.seq],
  }
}

/** Commands run in another shell from now on: nothing that was judged before holds there. */
function moved(state: SessionState, cwd: string): Change {
  const { shell } = state
  return {
    ...nextStamp(state),
    shell: shell.phase === 'live' ? { ...shell, cwd } : shell,
  }
}

type Privacy = Pick<SessionState, 'hidden' | 'private'>
type Ended = Pick<RunEnd, 'outcome' | 'shown' | 'ptyFrom' | 'ptyTo'>

/** An end that is not known yet. A number, because a state must survive JSON. */
const open = Number.MAX_SAFE_INTEGER

/** The hidden ranges after a change of private mode, in which everything typed and printed is hidden. */
export function hiddenByMode(state: Privacy, { private: next, ptyAt }: SessionUpdate): Hidden {
  if (next === undefined || next === state.private) return state.hidden
  if (next) return hide(state.hidden, { from: ptyAt ?? 0, to: open })
  // At 0 no shell was there to say where it is; the next one says it.
  return ptyAt ? hideUntil(state.hidden, ptyAt) : state.hidden
}

export function hiddenAtShell(state: Privacy, { ptyFrom }: Pick<ShellStart, 'ptyFrom'>): Hidden {
  return state.private || ptyFrom === undefined ? state.hidden : hideUntil(state.hidden, ptyFrom)
}

/** The hidden ranges after a run in the terminal: its output ends what an earlier one left open. */
export function hiddenAfterRun(state: Privacy, run: Pick<RunStart, 'private'>, end: Ended): Hidden {
  const { ptyFrom } = end
  const isKept = state.private || ptyFrom === null
  const hidden = isKept ? state.hidden : hideUntil(state.hidden, ptyFrom)
  return run.private ? hideRun(hidden, end) : hidden
}

/** A run whose range is unknown hides everything until something else runs. */
function hideRun(hidden: Hidden, { outcome, shown, ptyFrom, ptyTo }: Ended): Hidden {
  if (shown !== undefined) return hide(hidden, { from: shown.from, to: shown.to ?? open })
  if (ptyFrom !== null && ptyTo !== null) return hide(hidden, { from: ptyFrom, to: ptyTo })
  return outcome === 'not_started' ? hidden : hide(hidden, { from: 0, to: open })
}

function hideUntil(hidden: Hidden, to: number): Hidden {
  return hidden.map((range) => (range.to === open && range.from <= to ? { ...range, to } : range))
}

/** Adds a range. The oldest two are joined at the limit, and hide what lies between them too. */
function hide(hidden: Hidden, range: Hidden[number]): Hidden {
  const all = [...hidden, range]
  const [first, second, ...rest] = all
  if (all.length <= limits.hiddenRanges || !first || !second) return all
  const from = Math.min(first.from, second.from)
  return [{ from, to: Math.max(first.to, second.to) }, ...rest]
}
