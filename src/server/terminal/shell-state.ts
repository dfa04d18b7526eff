import { ShellName, type Integration } from '../../protocol/shell.ts'
import type { Mark } from './read-mark.ts'

/** What the marks so far say about the shell. */
export interface ShellState {
  readonly pid: number
  readonly shell: ShellName
  /** `returning`: a command has ended, and the prompt is not there yet. */
  readonly phase: 'starting' | 'prompt' | 'running' | 'returning'
  readonly integration: Integration
  /** Asked for a prompt, it said nothing: whatever its integration is worth, it is not heard now. */
  readonly isUnheard: boolean
  readonly cwd: string | null
  /** Whose it is and on which machine, of one that was adopted. */
  readonly place: string
}

export function startState(pid: number): ShellState {
  return {
    pid,
    shell: 'bash',
    phase: 'starting',
    integration: 'none',
    isUnheard: false,
    cwd: null,
    place: '',
  }
}

export function evolveShell(state: ShellState, mark: Mark): ShellState {
  if (mark.kind === 'integrated') {
    const shell = ShellName.catch(state.shell).parse(mark.shell)
    const integration = quality(shell, mark.version)
    // Adopted in the place of one that was at its prompt: its own is still to come.
    const isNew = mark.place === '' || state.phase === 'starting'
    const phase = isNew ? state.phase : 'returning'
    return { ...state, shell, integration, phase, place: mark.place }
  }
  if (mark.kind === 'output-start') return { ...state, phase: 'running' }
  if (mark.kind === 'prompt' && mark.pid === state.pid) {
    return { ...state, phase: 'prompt', isUnheard: false }
  }
  if (mark.kind === 'output-end' && mark.pid === state.pid) {
    // An empty line is read and has an end, but the prompt was there.
    const phase = state.phase === 'prompt' ? 'prompt' : 'returning'
    return { ...state, phase, cwd: mark.cwd ?? state.cwd }
  }
  return state
}

/** For those who watch: on its way to the prompt a shell is still at what it was. */
export function shownPhase<Phase>(
  { phase }: ShellState,
  before: Phase,
): Exclude<ShellState['phase'], 'returning'> | Phase {
  return phase === 'returning' ? before : phase
}

export function integrationOf({ integration, isUnheard }: ShellState): Integration {
  return isUnheard ? 'none' : integration
}

/** Before these, bash and fish cannot say where a command's output starts, nor zsh what it reads. */
const fullSince: Readonly<Record<ShellName, number>> = { bash: 404, zsh: 501, fish: 301 }

function quality(shell: ShellName, version: string): Integration {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 100 + minor >= fullSince[shell] ? 'full' : 'basic'
}

/** The shells that are inside each other, and the innermost, which reads what is typed. */
export interface Shells {
  readonly around: readonly ShellState[]
  readonly inner: ShellState
}

export function evolveShells({ around, inner }: Shells, mark: Mark): Shells {
  const level = around.length
  if (mark.kind === 'integrated' && mark.level === level + 1)
    return { around: [...around, inner], inner: evolveShell(startState(mark.pid), mark) }
  if (mark.kind === 'left') {
    const back = around[mark.level - 1]
    return back === undefined
      ? { around, inner }
      : { around: around.slice(0, mark.level - 1), inner: back }
  }
  return mark.level === level ? { around, inner: evolveShell(inner, mark) } : { around, inner }
}
