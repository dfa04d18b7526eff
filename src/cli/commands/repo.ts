import { resolve } from 'node:path'
import { routes } from '../../protocol/routes.ts'
import { attach } from '../attach.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../printable.ts'

interface OfTeam {
  team: string
  json?: boolean
}

export async function listRepos(io: Io, { team, json }: OfTeam): Promise<number> {
  const { client } = await attach(io)
  const { repos } = await client.call(routes.repos, { params: { team } })
  if (json) io.out(`${JSON.stringify(repos)}\n`)
  else if (repos.length === 0) io.note('There are no repos yet. Try: tandem repo add .')
  const width = Math.max(0, ...repos.map(({ name }) => name.length))
  if (!json)
    for (const { name, path, missing } of repos)
      io.out(`${name.padEnd(width)}  ${printableLine(path)}${missing ? '  (gone)' : ''}\n`)
  return exitCode.ok
}

export async function addRepo(
  io: Io,
  folder: string,
  { team, name, json }: OfTeam & { name?: string },
): Promise<number> {
  const { client } = await attach(io)
  const body = { path: resolve(io.cwd, folder), ...(name !== undefined && { name }) }
  const repo = await client.call(routes.addRepo, { params: { team }, body })
  if (json) io.out(`${JSON.stringify(repo)}\n`)
  else io.note(`${printableLine(repo.path)} is now the repo ${repo.name}.`)
  return exitCode.ok
}

export async function removeRepo(io: Io, name: string, { team, json }: OfTeam): Promise<number> {
  const { client } = await attach(io)
  const repo = await client.call(routes.removeRepo, { params: { team, name } })
  if (json) io.out(`${JSON.stringify(repo)}\n`)
  else io.note(`${printableLine(repo.path)} is no repo any more. Its files are untouched.`)
  return exitCode.ok
}
