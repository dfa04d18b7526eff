import * as teams from '../../client/team.ts'
import type { Json } from '../act.ts'
import { attach } from '../attach.ts'
import { exitCode, CliError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { teamOf } from '../../client/team.ts'
import { resolve } from 'node:path'
import { printableLine } from '../../view/text/hidden-characters.ts'
import type { Task, TaskMove } from '../../protocol/http/team.ts'
import { readTaskId } from '../../server/commands/task.ts'
import { readTrusted, trustFolder } from '../../client/server.ts'

export async function listTeams(io: Io, { json }: Json): Promise<void> {
  const { client } = await attach(io)
  const names = await teams.listTeams(client)
  io.out(json ? `${JSON.stringify(names)}\n` : names.map((name) => `${name}\n`).join(''))
}

export async function createTeam(io: Io, name: string, { json }: Json): Promise<void> {
  const { client } = await attach(io)
  const made = await teams.createTeam(client, name)
  if (json) io.out(`${JSON.stringify(made)}\n`)
  else io.note(`Made the team ${made.name}.`)
}

type OfTeam = Json & { team: string }

export async function listRepos(io: Io, { team, json }: OfTeam): Promise<void> {
  const { client } = await attach(io)
  const repos = await teamOf(client, team).repos()
  if (json) io.out(`${JSON.stringify(repos)}\n`)
  else if (repos.length === 0) io.note('There are no repos yet. Try: tandem repo add .')
  const width = Math.max(0, ...repos.map(({ name }) => name.length))
  if (!json)
    for (const { name, path, missing } of repos)
      io.out(`${name.padEnd(width)}  ${printableLine(path)}${missing ? '  (gone)' : ''}\n`)
}

export async function addRepo(
  io: Io,
  folder: string,
  { team, name, json }: OfTeam & { name?: string },
): Promise<void> {
  const { client } = await attach(io)
  const body = { path: resolve(io.cwd, folder), ...(name !== undefined && { name }) }
  const repo = await teamOf(client, team).addRepo(body)
  if (json) io.out(`${JSON.stringify(repo)}\n`)
  else io.note(`${printableLine(repo.path)} is now the repo ${repo.name}.`)
}

export async function removeRepo(io: Io, name: string, { team, json }: OfTeam): Promise<void> {
  const { client } = await attach(io)
  const repo = await teamOf(client, team).removeRepo(name)
  if (json) io.out(`${JSON.stringify(repo)}\n`)
  else io.note(`${printableLine(repo.path)} is no repo any more. Its files are untouched.`)
}

export async function listTasks(io: Io, { team, json }: OfTeam): Promise<void> {
  const { client } = await attach(io)
  const tasks = await teamOf(client, team).tasks()
  if (json) io.out(`${JSON.stringify(tasks)}\n`)
  else if (tasks.length === 0) io.note('There are no tasks yet. Try: tandem task create "…"')
  else io.out(tasks.map((task) => `${line(task)}\n`).join(''))
}

export async function createTask(io: Io, title: string, { team, json }: OfTeam): Promise<void> {
  const { client } = await attach(io)
  const task = await teamOf(client, team).addTask(title)
  io.out(`${json ? JSON.stringify(task) : line(task)}\n`)
}

export async function moveTask(
  io: Io,
  { id, move }: { id: string; move: TaskMove },
  { team, json }: OfTeam,
): Promise<void> {
  const task = idOf(id)
  const { client } = await attach(io)
  const moved = await teamOf(client, team).moveTask(task, move)
  io.out(`${json ? JSON.stringify(moved) : line(moved)}\n`)
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

/** `tandem trust`: whether the configuration, skills and commands of a folder count. */
export async function trustCommand(
  io: Io,
  named: string | undefined,
  { revoke, list, json }: Json & { revoke?: boolean; list?: boolean },
): Promise<number> {
  if (list && (revoke || named !== undefined))
    throw new CliError('--list stands alone. See: tandem trust --help', exitCode.usage)
  const { client } = await attach(io)
  if (list) {
    const { folders } = await readTrusted(client)
    io.out(
      json
        ? `${JSON.stringify(folders)}\n`
        : folders.map(({ path }) => `${printableLine(path)}\n`).join(''),
    )
    return exitCode.ok
  }
  const body = { folder: resolve(io.cwd, named ?? '.'), trusted: !revoke }
  const answer = await trustFolder(client, body)
  if (json) io.out(`${JSON.stringify(answer)}\n`)
  else io.note(sentence(answer, revoke === true))
  return revoke && answer.trusted ? exitCode.error : exitCode.ok
}

function sentence(answer: { folder: string; trusted: boolean }, revoke: boolean): string {
  const folder = printableLine(answer.folder)
  if (!revoke) return `${folder} is trusted: its settings, skills and commands count.`
  return answer.trusted
    ? `${folder} is still trusted, as part of another folder: see tandem trust --list`
    : `${folder} is not trusted any more.`
}
