import type { ToolRequest } from '../../protocol/call.ts'
import { Assignee } from '../../protocol/team.ts'
import { assign } from '../../session/commands/assign.ts'
import { badUsage, type EdgeAnswer, readArguments } from './edge-answer.ts'
import { readTaskId } from './task-id.ts'
import { answerTo, type TaskCommandDeps } from './task.ts'

/** `/assign T0042 alice`. */
export function assignCommand({
  teams,
  team,
}: TaskCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async (call) => {
    const read = readArguments(assign, call)
    if (!read.ok) return read.error
    const id = readTaskId(read.value.get('task') ?? '')
    if (!id.ok) return badUsage(id.error, assign.usage)
    const to = Assignee.safeParse(read.value.get('name'))
    if (!to.success) return badUsage('an assignee is one word, such as alice', assign.usage)
    return answerTo(teams.moveTask(team, id.value, { action: 'assign', to: to.data }), 'assign')
  }
}
