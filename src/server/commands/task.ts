import { ok, refused, type Result } from '../../base/result.ts'
import { type TaskId, type Task, type TaskMove, Assignee } from '../../protocol/http/team.ts'
import { taskId, isOpen } from '../teams/tasks.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { actionName, type Arguments } from '../../session/commands/grammar.ts'
import { task, assign } from '../../session/commands/team.ts'
import {
  badUsage,
  changed,
  type EdgeAnswer,
  type EdgeSession,
  failed,
  told,
  withArguments,
} from './edge-answer.ts'
import { approve } from '../../session/commands/answers.ts'

/** A task as people write it: T0042, t42 or 42. */
export function readTaskId(text: string): Result<TaskId, string> {
  const num = Number(/^[Tt]?(\d{1,9})$/.exec(text.trim())?.[1] ?? 0)
  if (num > 0) return ok(taskId(num))
  return refused(
    text.trim() === '' ? 'the task is missing' : `"${text.trim()}" is no task such as T0042`,
  )
}

/** `/task`: the tasks of the team. */
export const taskCommand = withArguments(task, (args, session) => {
  const { teams, team } = session
  const action = args.get(actionName) ?? ''
  switch (action) {
    case 'create':
      return answerTo(teams.createTask(team, args.get('title') ?? ''), 'made')
    case 'show': {
      const id = readTaskId(args.get('task') ?? '')
      if (!id.ok) return badUsage(id.error, task.usage)
      const found = teams.task(team, id.value)
      return found.ok ? told(taskText(found.value)) : failed(found.error.message)
    }
    case 'review':
    case 'done':
      return move(args, session, { action, usage: task.usage })
    default:
      return told(tasksText(teams.tasks(team)))
  }
})

/** `/approve T0042`; without a task the session itself answers its oldest question. */
export const approveTaskCommand = withArguments(approve, (args, session) =>
  move(args, session, { action: 'approve', usage: approve.usage }),
)

/** `/assign T0042 alice`. */
export const assignCommand = withArguments(assign, (args, session) =>
  move(args, session, { action: 'assign', usage: assign.usage }),
)

function move(
  args: Arguments,
  { teams, team }: EdgeSession,
  { action, usage }: { action: TaskMove['action']; usage: string },
): EdgeAnswer {
  const id = readTaskId(args.get('task') ?? '')
  if (!id.ok) return badUsage(id.error, usage)
  if (action !== 'assign') return answerTo(teams.moveTask(team, id.value, { action }), action)
  const to = Assignee.safeParse(args.get('name'))
  if (!to.success) return badUsage('an assignee is one word, such as alice', usage)
  return answerTo(teams.moveTask(team, id.value, { action, to: to.data }), action)
}

/** A task's new state, for the person and the model. */
function answerTo(moved: Result<Task, Refusal>, did: 'made' | TaskMove['action']): EdgeAnswer {
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
