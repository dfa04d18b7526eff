import type { ToolRequest } from '../../protocol/call.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { Result } from '../../protocol/result.ts'
import type { Task } from '../../protocol/team.ts'
import { actionName } from '../../session/commands/grammar.ts'
import { task } from '../../session/commands/task.ts'
import { isOpen } from '../teams/task-moves.ts'
import type { Teams } from '../teams/teams.ts'
import { badUsage, changed, type EdgeAnswer, failed, readArguments, told } from './edge-answer.ts'
import { readTaskId } from './task-id.ts'

export interface TaskCommandDeps {
  teams: Teams
  team: string
}

/** `/task`: the tasks of the team. */
export function taskCommand(deps: TaskCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  const { teams, team } = deps
  return async (call) => {
    const read = readArguments(task, call)
    if (!read.ok) return read.error
    const action = read.value.get(actionName) ?? ''
    switch (action) {
      case 'create':
        return answerTo(teams.createTask(team, read.value.get('title') ?? ''), 'made')
      case 'show':
      case 'review':
      case 'done':
        return one(deps, action, read.value.get('task') ?? '')
      default:
        return told(tasksText(teams.tasks(team)))
    }
  }
}

function one(
  { teams, team }: TaskCommandDeps,
  what: 'show' | 'review' | 'done',
  text: string,
): EdgeAnswer {
  const id = readTaskId(text)
  if (!id.ok) return badUsage(id.error, task.usage)
  if (what !== 'show') return answerTo(teams.moveTask(team, id.value, { action: what }), what)
  const found = teams.task(team, id.value)
  return found.ok ? told(taskText(found.value)) : failed(found.error.message)
}

/** What a task has become, for the person and the model. */
export function answerTo(
  moved: Result<Task, Refusal>,
  did: 'made' | 'assign' | 'review' | 'approve' | 'done',
): EdgeAnswer {
  if (!moved.ok) return failed(moved.error.message)
  const { id, title, assignee } = moved.value
  const words = {
    made: 'is a new task',
    assign: `is assigned to ${assignee}`,
    review: 'is in review',
    approve: 'is approved and done',
    done: 'is done',
  }
  return changed(`${id} ${words[did]}: ${title}`)
}

/** As many as one reads; the rest is in `tandem task ls --json`. */
const shown = 50

function tasksText(tasks: readonly Task[]): string {
  const open = tasks.filter(isOpen)
  const done = tasks.length - open.length
  const lines = open.slice(0, shown).map(taskText)
  if (open.length > shown) lines.push(`… and ${open.length - shown} more`)
  if (done > 0) lines.push(`${done} done`)
  return lines.length === 0 ? 'No tasks yet. Make one with: /task create <title>' : lines.join('\n')
}

function taskText({ id, status, title, assignee }: Task): string {
  const who = assignee === null ? '' : ` (${assignee})`
  return `${id}  ${status.padEnd(8)}  ${title}${who}`
}
