import { z } from 'zod'
import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import { type Task, type TaskId, TaskStatus, TaskTitle } from '../../protocol/team.ts'
import type { Database } from '../store/database.ts'
import { readRow, readRows, Text, toText } from '../store/rows.ts'
import { isOpen, moved, taskId, taskNumber } from './task-moves.ts'
import type { Teams } from './teams.ts'

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
  const { file } = database

  function tasks(team: string): readonly Task[] {
    const rows = database.all('SELECT * FROM tasks WHERE team = :team ORDER BY num', { team })
    return readRows(file, TaskRow, rows)
  }

  function task(team: string, id: TaskId): Result<Task, Refusal> {
    const noTeam = missing(team)
    if (noTeam) return refused(noTeam)
    const num = taskNumber(id)
    const row = database.get('SELECT * FROM tasks WHERE team = :team AND num = :num', { team, num })
    const found = readRow(file, TaskRow, row)
    return found === null ? refused(unknownTask(id, tasks(team))) : ok(found)
  }

  function insert(team: string, title: string): Result<Task, Refusal> {
    const row = database.get('SELECT coalesce(max(num), 0) AS last FROM tasks WHERE team = :team', {
      team,
    })
    const num = Count.parse(row).last + 1
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
