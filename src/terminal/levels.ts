import { type Effect, type Step, stay } from './effect.ts'
import type { Mark } from './mark.ts'
import { endWithShell } from './run-life.ts'
import { type Moment, newShell, shellHears } from './shell.ts'
import type { Exit, Shell, TerminalState } from './state.ts'

/** Marks after which a command may run elsewhere, or in another state. */
const moving: ReadonlySet<Mark['kind']> = new Set([
  'output-start',
  'output-end',
  'integrated',
  'left',
])

/** Shells that left unasked for; a server that comes back asks within moments. */
const maxGone = 16

export function hearMark(before: TerminalState, mark: Mark, now: number): Step<TerminalState> {
  const state: TerminalState = {
    ...before,
    head: Math.max(before.head, mark.offset),
    stamp: moving.has(mark.kind) ? mark.seq : before.stamp,
  }
  const moment = { now, head: state.head, stamp: state.stamp }
  if (mark.kind === 'left') return leave(state, mark, moment)
  if (mark.kind === 'integrated') return enter(state, mark, moment)
  return inShell(state, mark.level, (shell) => shellHears(shell, mark, moment))
}

/** Lets one shell take a step; none of that level: nothing happens. */
export function inShell(
  state: TerminalState,
  level: number,
  take: (shell: Shell) => Step<Shell>,
): Step<TerminalState> {
  const shell = state.shells[level]
  if (shell === undefined) return stay(state)
  const step = take(shell)
  return step.state === shell
    ? { state, effects: step.effects }
    : { state: { ...state, shells: put(state.shells, step.state) }, effects: step.effects }
}

function put([base, ...inner]: TerminalState['shells'], shell: Shell): TerminalState['shells'] {
  if (shell.level === 0) return [shell, ...inner]
  return [base, ...inner.map((each) => (each.level === shell.level ? shell : each))]
}

/** One more shell speaks; or one that is there speaks anew. The shell around it has to know where. */
function enter(
  state: TerminalState,
  mark: Mark & { kind: 'integrated' },
  moment: Moment,
): Step<TerminalState> {
  const { level, pid, offset: ptyAt, isAway } = mark
  const isNew = level === state.shells.length && level > 0
  const added = newShell({ level, pid, ptyAt, isByKeys: true, isSeen: !isAway })
  const entered: TerminalState = isNew ? { ...state, shells: [...state.shells, added] } : state
  const around = inShell(entered, level - 1, (shell) => shellHears(handedOver(shell), mark, moment))
  const own = inShell(around.state, level, (shell) => shellHears(shell, mark, moment))
  return { state: own.state, effects: [...around.effects, ...own.effects] }
}

/** Whoever has a shell adopted has the keyboard of what it runs in. */
function handedOver(shell: Shell): Shell {
  return shell.run === null ? shell : { ...shell, run: { ...shell.run, isTaken: true } }
}

/** The shells from this level on are gone, the innermost first, and what ran in them with them. */
function leave(state: TerminalState, mark: Mark, moment: Moment): Step<TerminalState> {
  const [base, ...inner] = state.shells
  if (mark.level < 1) return stay(state)
  const left = inner.filter((shell) => shell.level >= mark.level).toReversed()
  const exit = { code: null, signal: null, time: mark.time }
  const ended = left.map((shell) => endWithShell(shell, exit))
  const rest: TerminalState = {
    ...state,
    shells: [base, ...inner.filter((shell) => shell.level < mark.level)],
    gone: [...ended.flatMap((step) => remembered(step.state, exit)), ...state.gone].slice(
      0,
      maxGone,
    ),
  }
  const around = inShell(rest, mark.level - 1, (shell) => shellHears(shell, mark, moment))
  const told = left.map(({ level, ptyAt }): Effect => ({
    type: 'tell',
    told: { type: 'shell-left', level, ptyAt },
  }))
  const ends = ended.flatMap((step, at) => [...step.effects, ...told.slice(at, at + 1)])
  return { state: around.state, effects: [...ends, ...around.effects] }
}

/** Somebody may ask for the end of what ran in it, or has to say that it is on disk. */
function remembered(shell: Shell, exit: Exit): readonly { shell: Shell; exit: Exit }[] {
  return shell.last !== null || shell.track?.loaded ? [{ shell, exit }] : []
}
