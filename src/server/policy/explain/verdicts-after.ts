import type { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import { judge, type Verdict } from '../../../session/policy/verdict.ts'
import { type ExplainedShellOptions, openExplainedShell } from './open-explained-shell.ts'

export interface ModedCommand {
  command: string
  mode: ApprovalMode
}

/** Whatever has not ended by then is taken for something that never ends. */
const runMs = 10_000

/** The verdicts on commands in a new shell in which others ran before: those may change any file. */
export async function verdictsAfter(
  pre: readonly string[],
  commands: readonly ModedCommand[],
  place: ExplainedShellOptions,
): Promise<readonly Verdict[]> {
  const shell = await openExplainedShell(place).catch(() => null)
  if (shell === null) return commands.map((each) => withoutShell(each, place))
  try {
    await shell.run(pre, runMs)
    await shell.prepare(commands.map(({ command }) => command))
    const verdicts: Verdict[] = []
    for (const { command, mode } of commands) verdicts.push(await shell.judge(command, mode))
    return verdicts
  } finally {
    await shell.close()
  }
}

/** Without a shell nobody knows what a name means: it asks, or is denied where nothing runs. */
export function withoutShell(
  { command, mode }: ModedCommand,
  { workspace, isTrusted, organisation }: ExplainedShellOptions,
): Verdict {
  return judge(command, {
    approval: mode,
    workspace,
    cwd: workspace,
    shell: null,
    home: null,
    isTrusted,
    organisation,
    live: null,
    files: new Map(),
  })
}
