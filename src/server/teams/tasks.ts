import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import {
  type Task,
  type TaskId,
  type TaskMove,
  TaskStatus,
  TaskTitle,
} from '../../protocol/http/team.ts'
import { z } from 'zod'
import { type Database, Text, toText } from '../store/database.ts'
import type { Teams } from './teams.ts'

export function taskId(num: number): TaskId {
  return `T${String(num).padStart(4, '0')}`
}

function taskNumber(id: TaskId): number {
  return Number(id.slice(1))
}

export function isOpen({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'done'
}

/** The states that a move may begin in. Giving a finished task to somebody opens it again. */
const from: Record<TaskMove['action'], readonly TaskStatus[]> = {
  assign: ['open', 'assigned', 'review', 'done'],
  review: ['open', 'assigned', 'review'],
  approve: ['assigned', 'review'],
  done: ['open', 'assigned', 'review', 'done'],
}

/** A task after a move: open → assigned → review → done; or where it stands and what is next. */
function moved(task: Task, move: TaskMove): Result<Task, Refusal> {
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

const TaskRow = z
  .object({
    num: z.number(),
    title: Text,
    status: TaskStatus,
    assignee: Text.nullable(),
    created_at: z.number(),
    updated_at: z.number(),
  })
  .transform(({ num, created_at: createdAt, updated_at: updatedAt, ...rest }): Task => {
    return { id: taskId(num), ...rest, createdAt, updatedAt }
  })

const Count = z.object({ last: z.number() })

/** Four digits: beyond that a team needs a tracker, not a list. */
const most = 9_999
/** As many as fit a sentence. */
const named = 5

type Tasks = Pick<Teams, 'tasks' | 'task' | 'createTask' | 'moveTask'>

interface TasksDeps {
  /** Why a team cannot have any. */
  missing(team: string): Refusal | null
  clock(): number
}

export function createTasks(database: Database, { missing, clock }: TasksDeps): Tasks {
  function tasks(team: string): readonly Task[] {
    return database.all(TaskRow, 'SELECT * FROM tasks WHERE team = :team ORDER BY num', { team })
  }

  function task(team: string, id: TaskId): Result<Task, Refusal> {
    const noTeam = missing(team)
    if (noTeam) return refused(noTeam)
    const num = taskNumber(id)
    const sql = 'SELECT * FROM tasks WHERE team = :team AND num = :num'
    const found = database.get(TaskRow, sql, { team, num })
    return found === null ? refused(unknownTask(id, tasks(team))) : ok(found)
  }

  function insert(team: string, title: string): Result<Task, Refusal> {
    const sql = 'SELECT coalesce(max(num), 0) AS last FROM tasks WHERE team = :team'
    const num = (database.get(Count, sql, { team })?.last ?? 0) + 1
    if (num > most)
      return refused({ code: 'too_many', message: `Team "${team}" has ${most} tasks already.` })
    database.run(
      `INSERT INTO tasks (team, num, title, status, created_at, updated_at)
       VALUES (:team, :num, :title, 'open', :at, :at)`,
      { team, num, title: toText(title), at: clock() },
    )
    return task(team, taskId(num))
  }

  return {
    tasks,
    task,
    createTask(team, title) {
      const noTeam = missing(team)
      if (noTeam) return refused(noTeam)
      const parsed = TaskTitle.safeParse(title)
      if (!parsed.success)
        return refused({ code: 'bad_request', message: `${parsed.error.issues[0]?.message}.` })
      return database.transaction(() => insert(team, parsed.data))
    },
    moveTask(team, id, move) {
      return database.transaction(() => {
        const found = task(team, id)
        if (!found.ok) return found
        const next = moved(found.value, move)
        if (!next.ok) return next
        const { status, assignee } = next.value
        database.run(
          `UPDATE tasks SET status = :status, assignee = :assignee, updated_at = :at
           WHERE team = :team AND num = :num`,
          {
            team,
            num: taskNumber(id),
            status,
            assignee: assignee === null ? null : toText(assignee),
            at: clock(),
          },
        )
        return task(team, id)
      })
    },
  }
}

function unknownTask(id: TaskId, tasks: readonly Task[]): Refusal {
  const open = tasks.filter(isOpen).slice(-named)
  const have =
    open.length === 0
      ? 'No task is open. Make one with: /task create <title>'
      : `Open: ${open.map(({ id, title }) => `${id} ${title}`).join('; ')}.`
  return { code: 'unknown_task', message: `There is no task ${id}. ${have}` }
}
