import { ok, refused, type Result } from '../../protocol/result.ts'
import type { TaskId } from '../../protocol/team.ts'
import { taskId } from '../teams/task-moves.ts'

/** A task as people write it: T0042, t42 or 42. */
export function readTaskId(text: string): Result<TaskId, string> {
  const num = Number(/^[Tt]?(\d{1,9})$/.exec(text.trim())?.[1] ?? 0)
  if (num > 0) return ok(taskId(num))
  return refused(
    text.trim() === '' ? 'the task is missing' : `"${text.trim()}" is no task such as T0042`,
  )
}
