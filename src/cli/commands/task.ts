import { routes } from '../../protocol/routes.ts'
import type { Task, TaskMove } from '../../protocol/team.ts'
import { readTaskId } from '../../server/commands/task-id.ts'
import { attach } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../printable.ts'

interface OfTeam {
  team: string
  json?: boolean
}

export async function listTasks(io: Io, { team, json }: OfTeam): Promise<number> {
  const { client } = await attach(io)
  const { tasks } = await client.call(routes.tasks, { params: { team } })
  if (json) io.out(`${JSON.stringify(tasks)}\n`)
  else if (tasks.length === 0) io.note('There are no tasks yet. Try: tandem task create "…"')
  else io.out(tasks.map((task) => `${line(task)}\n`).join(''))
  return exitCode.ok
}

export async function createTask(io: Io, title: string, { team, json }: OfTeam): Promise<number> {
  const { client } = await attach(io)
  const task = await client.call(routes.createTask, { params: { team }, body: { title } })
  io.out(`${json ? JSON.stringify(task) : line(task)}\n`)
  return exitCode.ok
}

export async function moveTask(
  io: Io,
  { id, move }: { id: string; move: TaskMove },
  { team, json }: OfTeam,
): Promise<number> {
  const params = { team, id: idOf(id) }
  const { client } = await attach(io)
  const task = await client.call(routes.moveTask, { params, body: move })
  io.out(`${json ? JSON.stringify(task) : line(task)}\n`)
  return exitCode.ok
}

function idOf(text: string): string {
  const id = readTaskId(text)
  if (id.ok) return id.value
  throw new CliError(`${id.error}. See: tandem task --help`, exitCode.usage)
}

function line({ id, status, title, assignee }: Task): string {
  const who = assignee === null ? '' : ` (${assignee})`
  return printableLine(`${id}  ${status.padEnd(8)}  ${title}${who}`)
}
