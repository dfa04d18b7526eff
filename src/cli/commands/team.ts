import { routes } from '../../protocol/routes.ts'
import { attach } from '../attach.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'

interface Json {
  json?: boolean
}

export async function listTeams(io: Io, { json }: Json): Promise<number> {
  const { client } = await attach(io)
  const { teams } = await client.call(routes.teams, {})
  io.out(json ? `${JSON.stringify(teams)}\n` : teams.map((name) => `${name}\n`).join(''))
  return exitCode.ok
}

export async function createTeam(io: Io, name: string, { json }: Json): Promise<number> {
  const { client } = await attach(io)
  const made = await client.call(routes.createTeam, { body: { name } })
  if (json) io.out(`${JSON.stringify(made)}\n`)
  else io.note(`Made the team ${made.name}.`)
  return exitCode.ok
}
