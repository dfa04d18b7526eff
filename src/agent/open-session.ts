import { realpath } from 'node:fs/promises'
import process from 'node:process'
import type { Client } from '../client/connect.ts'
import { routes } from '../protocol/routes.ts'
import { SessionId } from '../protocol/seq.ts'
import type { ApprovalMode } from '../protocol/session.ts'
import type { SessionView } from '../protocol/session-view.ts'
import { AgentError } from './agent-error.ts'

export interface SessionOptions {
  workspace?: string
  model?: string
  session?: string
  title?: string
  approval?: ApprovalMode
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
  return client.call(routes.createSession, { body: { workspace, ...settingsOf(options) } })
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
