import { adoptedBy } from '../../log/open.ts'
import type { SessionState } from '../../log/state.ts'
import type { World } from '../catalogue.ts'
import type { Facts } from './facts.ts'
import { isSound } from './rules/rule.ts'

/** The facts that the session itself knows. */
export function factsOf(
  { approval, workspace, shell, createdAt, ...state }: SessionState,
  { home, trusted, organisation = null }: Pick<World, 'home' | 'trusted' | 'organisation'>,
): Omit<Facts, 'files' | 'live'> {
  return {
    approval,
    since: createdAt,
    workspace,
    cwd: shell.cwd,
    shell: shell.phase === 'live' ? (shell.name ?? null) : null,
    adopted: adoptedBy(state),
    home,
    isTrusted: trusted,
    rules: state.rules.filter(isSound),
    organisation,
  }
}
