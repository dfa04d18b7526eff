import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import type { Task, TaskId, TaskMove, TaskStatus } from '../../protocol/team.ts'

export function taskId(num: number): TaskId {
  return `T${String(num).padStart(4, '0')}`
}

export function taskNumber(id: TaskId): number {
  return Number(id.slice(1))
}

export function isOpen({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'done'
}

/** Where a move may begin. Giving a finished task to somebody opens it again. */
const from: Record<TaskMove['action'], readonly TaskStatus[]> = {
  assign: ['open', 'assigned', 'review', 'done'],
  review: ['open', 'assigned', 'review'],
  approve: ['assigned', 'review'],
  done: ['open', 'assigned', 'review', 'done'],
}

/** A task after a move: open → assigned → review → done; or where it stands and what is next. */
export function moved(task: Task, move: TaskMove): Result<Task, Refusal> {
  if (!from[move.action].includes(task.status))
    return refused({ code: 'bad_task', message: `${task.id} ${standing(task)}` })
  if (move.action === 'assign') return ok({ ...task, status: 'assigned', assignee: move.to })
  return ok({ ...task, status: move.action === 'review' ? 'review' : 'done' })
}

function standing({ id, status, assignee }: Task): string {
  const who = assignee === null ? '' : `, assigned to ${assignee}`
  switch (status) {
    case 'open':
      return `is open: nobody has it yet. Next: /assign ${id} <name>, or /task done ${id}.`
    case 'assigned':
      return `is being worked on${who}. Next: /task review ${id}, or /approve ${id}.`
    case 'review':
      return `is in review${who}. Next: /approve ${id}.`
    case 'done':
      return `is done${who}. To open it again: /assign ${id} <name>.`
  }
}
