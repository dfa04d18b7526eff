import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import process from 'node:process'
import { noToken } from '../client/wire/access.ts'
import { connect, type Client } from '../client/wire/connect.ts'
import { findSocket, localFetch } from '../server/access/local-socket.ts'
import { dataFolder } from '../server/process/data-folder.ts'
import { readServerInfo } from '../server/process/one-server.ts'
import { AgentError, plainError } from './agent-error.ts'

export interface ShellOrder {
  command: string
  /** A repo of the team; default: the first one, else the team’s own folder. */
  repo?: string | null
  /** A whole path, or relative to the repo. */
  cwd?: string | null
  /** A session of the team; default: its main session, made when it is first needed. */
  session?: string | null
}

export interface ShellAccepted {
  id: string
  status: 'running'
  command: string
}

/** The state of a one-shot command. Names are Delegate’s. */
export interface ShellResult {
  id: string
  status: 'running' | 'done' | 'error'
  /** With `error`: why. */
  reason?: 'exit' | 'timeout' | 'cancelled' | 'lost' | 'not_started' | undefined
  exit_code: number | null
  stdout: string
  stderr: string
  duration_ms: number
}

export interface TeamShellOptions {
  /** The data folder whose server is asked; default: TANDEM_HOME, else where the command line keeps it. */
  home?: string
}

/** A one-shot command of a team; it runs once, however often its answer gets lost on the way. */
export async function runShell(
  team: string,
  order: ShellOrder,
  options: TeamShellOptions = {},
): Promise<ShellAccepted> {
  return ask(options, (client) => client.runShell(team, order))
}

/** How it stands: running, done, or an error with its reason. */
export async function getShellResult(
  team: string,
  id: string,
  options: TeamShellOptions = {},
): Promise<ShellResult> {
  return ask(options, (client) => client.getShellResult(team, id))
}

/** A server that would be started for one command would end before it: one has to run. */
async function ask<T>(
  { home = dataFolder(process.env) }: TeamShellOptions,
  question: (client: Client) => Promise<T>,
): Promise<T> {
  const folder = resolve(home)
  const socket = findSocket(folder)
  const url = readServerInfo(folder)?.url
  if (socket === null || url === undefined)
    throw new AgentError(
      'start',
      `no server runs for ${folder}: start one with "tandem serve", or create an agent first`,
    )
  const options = { url, access: noToken, fetch: localFetch(socket), newKey: randomUUID }
  try {
    return await question(connect({ ...options, name: 'embedded' }))
  } catch (error) {
    throw plainError(error)
  }
}
