import { listSessions, listWithDamage } from '../client/sessions.ts'
import type { Client } from '../client/wire/connect.ts'
import { refusalOf } from '../client/wire/client-error.ts'
import type { SessionId } from '../protocol/events/seq.ts'
import type { SessionSummary } from '../protocol/http/session-view.ts'
import { CliError, exitCode } from './exit-code.ts'

/** As many as the server lists at once; older ones are still found by their whole id. */
const listed = 1_000

/** A session by its id or the start of it. */
export async function findSession(client: Client, id: string): Promise<SessionSummary> {
  return pickById(await listSessions(client, { limit: listed }), id, 'session')
}

interface Found {
  id: SessionId
  /** Null when the list does not have it: only the server knows whether there is anything left. */
  summary: SessionSummary | null
  isDamaged: boolean
}

/** A session by its id or the start of it, also one that the list has lost. */
export async function findAnySession(client: Client, id: string): Promise<Found> {
  const { sessions, damage } = await listWithDamage(client, { limit: listed }).catch(noList)
  const hurt = damage === null ? [] : [...damage.damaged, ...damage.lost]
  const known = [...new Set([...sessions.map((session) => session.id), ...hurt])]
  const isListed = known.some((one) => one.startsWith(id))
  const found =
    id.length === wholeId && !isListed
      ? id
      : pickById(
          known.map((one) => ({ id: one })),
          id,
          'session',
        ).id
  const summary = sessions.find((session) => session.id === found) ?? null
  return { id: found, summary, isDamaged: hurt.includes(found) }
}

const wholeId = 36

/** A list that cannot be read keeps nobody from exporting what can. */
function noList(error: unknown) {
  if (refusalOf(error)?.code !== 'damaged') throw error
  return { sessions: [], damage: null }
}

/** The one with this id, or whose id alone begins so. */
export function pickById<T extends { id: string }>(
  all: readonly T[],
  id: string,
  kind: 'session' | 'browser',
): T {
  const matches = all.filter((one) => one.id.startsWith(id))
  const [match] = matches
  if (match && (matches.length === 1 || match.id === id)) return match
  throw match
    ? new CliError(
        `"${id}" is the start of ${matches.length} ${kind}s. Give more of the id.`,
        exitCode.usage,
      )
    : new CliError(`there is no ${kind} "${id}". See: tandem ${kind}s ls`)
}

/** The facts a command needs of the session it works in. */
export type SessionRef = Pick<SessionSummary, 'id' | 'head'>

/** The newest session of a folder, if it has one. */
export async function newestSession(client: Client, workspace: string): Promise<SessionRef | null> {
  const sessions = await listSessions(client, { workspace, limit: 1 })
  return sessions[0] ?? null
}

/** The newest one with a shell, or with something under way. */
export async function liveSession(client: Client, workspace: string): Promise<SessionRef | null> {
  const sessions = await listSessions(client, { workspace })
  return sessions.find(({ live }) => live) ?? null
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
