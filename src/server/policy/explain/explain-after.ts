import type { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import { judge, type Verdict } from '../../../session/policy/verdict.ts'
import { copyWorkspace } from './copy-workspace.ts'
import type { ExplainPlace } from './explain.ts'
import { openExplainedShell } from './open-explained-shell.ts'

export interface ModedCommand {
  command: string
  mode: ApprovalMode
}

/** Whatever has not ended by then is taken for something that never ends. */
const runMs = 10_000

/**
 * The verdicts on commands in a new shell in which others ran before. Those run in a copy of the folder, so that
 * no state leads to the next; a folder that is too large, or that one of them names, is used itself.
 */
export async function explainAfter(
  pre: readonly string[],
  commands: readonly ModedCommand[],
  place: ExplainPlace,
): Promise<readonly Verdict[]> {
  const { workspace } = place
  const texts = [...pre, ...commands.map(({ command }) => command)]
  const isNamed = texts.some((text) => text.includes(workspace))
  const copy = isNamed ? null : await copyWorkspace(workspace)
  try {
    const folder = copy?.folder ?? workspace
    const verdicts = await verdictsAfter(pre, commands, { ...place, workspace: folder })
    return verdicts.map((verdict) => ({
      ...verdict,
      reasons: verdict.reasons.map((reason) => reason.replaceAll(folder, workspace)),
    }))
  } finally {
    await copy?.remove()
  }
}

async function verdictsAfter(
  pre: readonly string[],
  commands: readonly ModedCommand[],
  place: ExplainPlace,
): Promise<readonly Verdict[]> {
  const shell = await openExplainedShell(place).catch(() => null)
  if (shell === null) return commands.map((each) => unasked(each, place))
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

/** Without a shell nobody knows what a name means. */
function unasked(
  { command, mode }: ModedCommand,
  { workspace, isTrusted, organisation }: ExplainPlace,
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
