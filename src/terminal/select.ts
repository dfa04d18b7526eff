import type { Integration } from '../protocol/shell.ts'
import { shellWakesAt } from './shell-time.ts'
import type { Exit, Shell, TerminalState } from './state.ts'

/** The innermost shell: what is typed is read there. */
export function topShell({ shells }: TerminalState): Shell {
  return shells.at(-1) ?? shells[0]
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

/** It waits for a command, and it said so itself. */
export function isFree({ run, phase, isMute, isUnheard }: Shell): boolean {
  return run === null && phase === 'prompt' && !isMute && !isUnheard
}

/** Nothing more will run in it. */
export function isOver({ exit, ending }: TerminalState): boolean {
  return exit !== null || ending !== null
}

/** When the next thing has to be looked at. */
export function wakesAt({ shells }: TerminalState): number {
  return Math.min(...shells.map(shellWakesAt))
}

/** A run whose end is not on disk yet. */
export function hasUnsettled({ shells, gone }: TerminalState): boolean {
  return [...shells, ...gone.map(({ shell }) => shell)].some(({ run, last }) => run ?? last)
}

export function endReason(
  { ending }: TerminalState,
  { signal }: Exit,
): 'exited' | 'killed' | 'restarted' | 'closed' {
  if (ending !== null && ending !== 'left') return ending
  return signal === null ? 'exited' : 'killed'
}

const interruptKey = '\x03'

/** Secrets are typed by people only, and whoever took over drives. */
function driverOf({ run }: Shell): 'person' | 'model' {
  return run?.order.by === 'model' && !run.isTaken && run.need !== 'secret' ? 'model' : 'person'
}

export function mayType(shell: Shell, keys: string): boolean {
  return keys === interruptKey || driverOf(shell) === 'person'
}
