import { routes } from '../protocol/routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import { refusalOf } from './client-error.ts'
import type { Client } from './connect.ts'

export interface Begun {
  id: SessionId
  /** The terminal is in use, and stays with the session before. */
  isLeft: boolean
}

/** What is no reason not to begin: the terminal stays where it is. */
const stays = ['terminal_busy', 'taken']

/** Begins a session in the folder of another one, which stays; its terminal comes along if nothing runs in it. */
export async function beginAfter(client: Pick<Client, 'call'>, before: SessionId): Promise<Begun> {
  const { workspace, team, shell } = await client.call(routes.session, { params: { id: before } })
  const begin = async (terminal = {}) =>
    (await client.call(routes.createSession, { body: { workspace, team, ...terminal } })).id
  if (shell === null) return { id: await begin(), isLeft: false }
  try {
    return { id: await begin({ terminalFrom: before }), isLeft: false }
  } catch (error) {
    if (!stays.includes(refusalOf(error)?.code ?? '')) throw error
    return { id: await begin(), isLeft: true }
  }
}
