import type { ToolRequest } from '../../protocol/call.ts'
import { approve } from '../../session/commands/approve.ts'
import { badUsage, behindName, type EdgeAnswer } from './edge-answer.ts'
import { readTaskId } from './task-id.ts'
import { answerTo, type TaskCommandDeps } from './task.ts'

/** `/approve T0042`; without a task the session itself answers its oldest question. */
export function approveTaskCommand({
  teams,
  team,
}: TaskCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async ({ args }) => {
    const id = readTaskId(behindName(args))
    if (!id.ok) return badUsage(id.error, approve.usage)
    return answerTo(teams.moveTask(team, id.value, { action: 'approve' }), 'approve')
  }
}
