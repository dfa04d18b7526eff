import { refusalOf } from '../../../src/client/wire/client-error.ts'
import type { Refusal } from '../../../src/protocol/http/refusal.ts'
import { routes } from '../../../src/protocol/http/routes.ts'
import type { TestServer } from '../../support/server.ts'
import { openTestSession, type TestSession } from '../../support/session.ts'

/** A new session with the terminal of another one. */
export async function take(server: TestServer, from: { id: string }): Promise<TestSession> {
  const { workspace, client } = server
  const body = { workspace, terminalFrom: from.id }
  const { id } = await client.call(routes.createSession, { body })
  return openTestSession(client, id)
}

/** Why that is not to be had. */
export async function refusalToTake(server: TestServer, id: string): Promise<Refusal> {
  try {
    await take(server, { id })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== null) return refusal
    throw error
  }
  throw new Error('it was not refused')
}
