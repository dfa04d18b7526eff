import type { ToolRequest } from '../../protocol/call.ts'
import { approve } from '../../session/commands/approve.ts'
import { badUsage, type EdgeAnswer, readArguments } from './edge-answer.ts'
import { readTaskId } from './task-id.ts'
import { answerTo, type TaskCommandDeps } from './task.ts'

/** `/approve T0042`; without a task the session itself answers its oldest question. */
export function approveTaskCommand({
  teams,
  team,
}: TaskCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async (call) => {
    const read = readArguments(approve, call)
    if (!read.ok) return read.error
    const id = readTaskId(read.value.get('task') ?? '')
    if (!id.ok) return badUsage(id.error, approve.usage)
    return answerTo(teams.moveTask(team, id.value, { action: 'approve' }), 'approve')
  }
}
