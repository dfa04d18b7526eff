import { shownIntegration } from '../../../terminal/select.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import { linkedCwd } from '../linked-cwd.ts'
import type { ShellInfo } from '../terminal.ts'

/** The session's own shell, as it is told of. */
export function infoOf(
  { shells: [base] }: TerminalState,
  { shellPid, generation }: { shellPid: number; generation: number },
): ShellInfo {
  return {
    generation,
    shell: base.name,
    pid: shellPid,
    cwd: base.cwd ?? linkedCwd(shellPid) ?? '/',
    integration: shownIntegration(base),
  }
}
