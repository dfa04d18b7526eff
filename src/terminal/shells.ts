import { type Effect, interruptKey } from './effect.ts'
import type { Run } from './shell/run.ts'
import type { Shell, TerminalState } from './state.ts'
import type { Integration } from '../protocol/events/shell.ts'

/** The next state, and the effects that follow from it. */
export interface Step<State> {
  readonly state: State
  readonly effects: readonly Effect[]
}

const noEffects: readonly Effect[] = []

export function stay<State>(state: State): Step<State> {
  return { state, effects: noEffects }
}

export function act<State>(state: State, ...effects: readonly Effect[]): Step<State> {
  return { state, effects }
}

/** Does one after the other, each with the state that the last one left. */
export function andThen<State>(
  { state, effects }: Step<State>,
  next: (state: State) => Step<State>,
): Step<State> {
  const after = next(state)
  if (effects.length === 0) return after
  return after.effects.length === 0
    ? { state: after.state, effects }
    : { state: after.state, effects: [...effects, ...after.effects] }
}

/** The innermost shell: what is typed is read there. */
export function topShell({ shells }: TerminalState): Shell {
  return shells.at(-1) ?? shells[0]
}

/** Lets the shell of one level take a step; without such a shell nothing happens. */
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

/** Lets the shell take a step in which this run is; without such a run nothing happens. */
export function inShellOf(
  state: TerminalState,
  id: string,
  take: (shell: Shell) => Step<Shell>,
): Step<TerminalState> {
  const shell = state.shells.find(({ run }) => run?.order.id === id)
  return shell === undefined ? stay(state) : inShell(state, shell.level, take)
}

/** Lets every shell take a step, the innermost first: what runs in it ends before what it runs in. */
export function inEachShell(
  state: TerminalState,
  take: (shell: Shell) => Step<Shell>,
): Step<TerminalState> {
  return state.shells
    .toReversed()
    .reduce<Step<TerminalState>>(
      (step, { level }) => andThen(step, (next) => inShell(next, level, take)),
      stay(state),
    )
}

/** Lets the shell's run take a step; without a run nothing happens. */
export function inRun(shell: Shell, take: (run: Run) => Step<Run>): Step<Shell> {
  if (shell.run === null) return stay(shell)
  const { state: run, effects } = take(shell.run)
  return { state: run === shell.run ? shell : { ...shell, run }, effects }
}

/** The phase that those who watch are shown: on its way to the prompt a shell is still at what it was. */
export function shownPhase(state: TerminalState): 'starting' | 'prompt' | 'running' | 'exited' {
  if (state.exit !== null) return 'exited'
  const { phase } = topShell(state)
  if (phase === 'returning') return 'running'
  return phase === 'answered' ? 'prompt' : phase
}

export function shownIntegration({ integration, isUnheard }: Shell): Integration {
  return isUnheard ? 'none' : integration
}

export function driver(state: TerminalState): 'person' | 'model' {
  return driverOf(topShell(state))
}

/** A person took the keyboard from the model whose run is on. */
export function isTaken(state: TerminalState): boolean {
  const { run } = topShell(state)
  return run?.order.by === 'model' && run.isTaken
}

export function isModelRun(state: TerminalState): boolean {
  return topShell(state).run?.order.by === 'model'
}

/** A program is in a person's hands. */
export function isPersonal(state: TerminalState): boolean {
  return topShell(state).run !== null && driver(state) === 'person'
}

export function readsSecret(state: TerminalState): boolean {
  return topShell(state).run?.need === 'secret'
}

/** The program that reads a secret; null when none does. */
export function secretReader(state: TerminalState): string | null {
  const { run } = topShell(state)
  return run?.need === 'secret' ? run.reader : null
}

/** The shell waits for a command, and it said so itself. */
export function isFree({ run, phase, isMute, isUnheard }: Shell): boolean {
  return run === null && phase === 'prompt' && !isMute && !isUnheard
}

/** Nothing more will run in it. */
export function isOver({ exit, ending }: TerminalState): boolean {
  return exit !== null || ending !== null
}

/** Secrets are typed by people only, and whoever took over drives. */
function driverOf({ run }: Shell): 'person' | 'model' {
  return run?.order.by === 'model' && !run.isTaken && run.need !== 'secret' ? 'model' : 'person'
}

/** Says whether a person's keys reach the terminal; Ctrl+C always does. */
export function mayType(shell: Shell, keys: string): boolean {
  return keys === interruptKey || driverOf(shell) === 'person'
}
