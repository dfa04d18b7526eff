import type { Client } from '../client/connect.ts'
import { routes } from '../protocol/routes.ts'
import type { SessionSummary } from '../protocol/session-view.ts'
import { CliError, exitCode } from './exit-code.ts'

/** As many as the server lists at once; older ones are still found by their whole id. */
const listed = 1_000

/** A session by its id or the start of it. */
export async function findSession(client: Client, id: string): Promise<SessionSummary> {
  const { sessions } = await client.call(routes.sessions, { query: { limit: listed } })
  const matches = sessions.filter((session) => session.id.startsWith(id))
  const [match] = matches
  if (match && (matches.length === 1 || match.id === id)) return match
  throw match
    ? new CliError(
        `"${id}" is the start of ${matches.length} sessions. Give more of the id.`,
        exitCode.usage,
      )
    : new CliError(`there is no session "${id}". See: tandem sessions ls`)
}

/** What a command has to know of the session it works in. */
export type SessionRef = Pick<SessionSummary, 'id' | 'head'>

/** The newest session of a folder, if it has one. */
export async function newestSession(client: Client, workspace: string): Promise<SessionRef | null> {
  const { sessions } = await client.call(routes.sessions, { query: { workspace, limit: 1 } })
  return sessions[0] ?? null
}

/** The newest one with a shell, or with something under way. */
export async function liveSession(client: Client, workspace: string): Promise<SessionRef | null> {
  const { sessions } = await client.call(routes.sessions, { query: { workspace } })
  return sessions.find(({ live }) => live) ?? null
}

export function createSession(client: Client, workspace: string): Promise<SessionRef> {
  return client.call(routes.createSession, { body: { workspace } })
}

/** The shortest starts, eight letters at least, that tell these ids apart. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const sorted = [...ids].sort()
  const shared = (a: string, b = ''): number => {
    let length = 0
    while (length < a.length && a[length] === b[length]) length += 1
    return length
  }
  return new Map(
    sorted.map((id, index) => {
      const needed = 1 + Math.max(shared(id, sorted[index - 1]), shared(id, sorted[index + 1]))
      return [id, id.slice(0, Math.max(8, needed))]
    }),
  )
}
