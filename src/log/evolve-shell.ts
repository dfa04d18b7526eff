import type {
  ShellAdopt,
  ShellExit,
  ShellLeave,
  ShellStart,
  TakenShell,
} from '../protocol/events/shell.ts'
import { hiddenAtShell } from './hidden.ts'
import { nextStamp } from './open.ts'
import type { SessionState } from './state.ts'

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
