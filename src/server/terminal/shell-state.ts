import type { Integration } from '../../protocol/shell.ts'
import type { Mark } from './read-mark.ts'

/** What the marks so far say about the shell. */
export interface ShellState {
  readonly pid: number
  readonly phase: 'starting' | 'prompt' | 'running'
  readonly integration: Integration
  readonly cwd: string | null
}

export function startState(pid: number): ShellState {
  return { pid, phase: 'starting', integration: 'none', cwd: null }
}

export function evolveShell(state: ShellState, mark: Mark): ShellState {
  if (mark.kind === 'integrated') return { ...state, integration: quality(mark.version) }
  if (mark.kind === 'output-start') return { ...state, phase: 'running' }
  if (mark.kind === 'prompt' && mark.pid === state.pid) return { ...state, phase: 'prompt' }
  if (mark.kind === 'output-end' && mark.pid === state.pid) {
    return { ...state, cwd: mark.cwd ?? state.cwd }
  }
  return state
}

/** Before 4.4 bash cannot say where a command's output starts. */
function quality(version: string): Integration {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 100 + minor >= 404 ? 'full' : 'basic'
}
