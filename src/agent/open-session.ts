import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import process from 'node:process'
import { connect, type Client } from '../client/wire/connect.ts'
import { routes } from '../protocol/http/routes.ts'
import { dataFolder } from '../server/process/data-folder.ts'
import { serve } from '../server/main.ts'
import type { RunningServer } from '../server/process/one-server.ts'
import { realpath } from 'node:fs/promises'
import { SessionId } from '../protocol/events/seq.ts'
import type { ApprovalMode } from '../protocol/events/approval-mode.ts'
import type { SessionView } from '../protocol/http/session-view.ts'
import { AgentError } from './agent-error.ts'

export type SharedServer = Awaited<ReturnType<typeof shareServer>>

/** Servers that run in this process, by data folder. */
const here = new Map<string, { started: Promise<RunningServer>; users: number }>()

/** The server of a data folder: one that runs somewhere, or a new one in this process. */
export async function shareServer(options: {
  home: string | undefined
  model: string | undefined
}) {
  const { home = dataFolder(process.env), model } = options
  const folder = resolve(home)
  const entry = here.get(folder) ?? { started: serve({ home: folder, model, idleMs: 0 }), users: 0 }
  here.set(folder, entry)
  entry.users += 1
  const forget = () => {
    if (here.get(folder) === entry) here.delete(folder)
  }
  const server = await entry.started.catch((error: unknown) => {
    forget()
    throw error
  })
  // Another process's server is looked for anew each time: it may have gone meanwhile.
  if (server.attached) forget()
  return {
    server,
    /** Ends it if it was started here and nobody else in this process uses it. */
    async release(shells: 'keep' | 'end'): Promise<void> {
      entry.users -= 1
      if (entry.users > 0 || server.attached) return
      forget()
      await end(server, shells)
    },
  }
}

async function end(server: RunningServer, shells: 'keep' | 'end'): Promise<void> {
  const { url, token } = server
  if (shells === 'keep') return server.close()
  const client = connect({ url, token, fetch, newKey: randomUUID })
  await client.call(routes.shutdown, { body: { shells } })
  await server.closed
}

export interface SessionOptions {
  workspace?: string
  model?: string
  session?: string
  title?: string
  approval?: ApprovalMode
  attended?: boolean
}

/** A new session, or the one that is named, with what was asked for. */
export async function openSession(client: Client, options: SessionOptions): Promise<SessionView> {
  const { session, model } = options
  const opened =
    session === undefined ? await begin(client, options) : await resume(client, session, options)
  const current = opened.model ?? (await client.call(routes.health, {})).model
  if (model === undefined || model === current) return opened
  await client.send(opened.id, { text: `/model ${model}` })
  return client.call(routes.session, { params: { id: opened.id } })
}

const settingsOf = ({ title, approval }: SessionOptions) => ({
  ...(title !== undefined && { title }),
  ...(approval !== undefined && { approval }),
})

async function begin(client: Client, options: SessionOptions): Promise<SessionView> {
  const { workspace: given = process.cwd() } = options
  const workspace = await realpath(given).catch((cause: unknown) => {
    throw new AgentError('bad_workspace', `there is no folder ${given}`, { cause })
  })
  const { attended } = options
  return client.call(routes.createSession, {
    body: { workspace, ...settingsOf(options), ...(attended !== undefined && { attended }) },
  })
}

async function resume(client: Client, id: string, options: SessionOptions): Promise<SessionView> {
  if (options.workspace !== undefined)
    throw new AgentError('bad_request', 'a session keeps its workspace: give one or the other')
  if (!SessionId.safeParse(id).success)
    throw new AgentError('not_found', `"${id}" is no session's id`)
  const params = { id }
  const settings = settingsOf(options)
  if (Object.keys(settings).length > 0)
    await client.call(routes.updateSession, { params, body: settings })
  return client.call(routes.session, { params })
}
