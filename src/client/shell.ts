import { routes } from '../protocol/routes.ts'
import type { RunId } from '../protocol/seq.ts'
import type { ShellAccepted, ShellOrder, ShellResult } from '../protocol/team.ts'
import type { Call } from './call.ts'

/** One-shot commands of a team, as Delegate’s clients know them. */
export interface ShellClient {
  /** Runs once, however often its answer gets lost on the way. */
  runShell(team: string, order: Omit<ShellOrder, 'key'>): Promise<ShellAccepted>
  getShellResult(team: string, id: RunId): Promise<ShellResult>
}

export interface ShellClientDeps {
  call: Call
  newKey: () => string
  /** Tries again while no answer comes. */
  retry<T>(attempt: () => Promise<T>): Promise<T>
}

export function createShellClient({ call, newKey, retry }: ShellClientDeps): ShellClient {
  return {
    runShell(team, order) {
      const body = { ...order, key: newKey() }
      return retry(() => call(routes.runShell, { params: { team }, body }))
    },
    getShellResult: (team, id) => retry(() => call(routes.shellResult, { params: { team, id } })),
  }
}
