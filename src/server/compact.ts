import { createHash } from 'node:crypto'
import type { CreateSession } from '../protocol/create-session.ts'
import { textOf } from '../protocol/message.ts'
import { refused, type Result } from '../protocol/result.ts'
import type { Seq, SessionId } from '../protocol/seq.ts'
import type { SessionState } from '../log/state.ts'
import type { SuppliedMessage } from './host.ts'
import type { EventStore } from './store/store.ts'

export type Begin = (
  options: CreateSession,
  history: readonly SuppliedMessage[],
  id: SessionId,
) => Promise<Result<SessionId, string>>

export interface CompactedSession {
  store: EventStore
  session: SessionId
  state: SessionState
}

/** Begins a session with the summary that a turn of this one gave. This one stays as it is. */
export async function compact(
  { store, session, state }: CompactedSession,
  turn: Seq,
  begin: Begin,
): Promise<Result<SessionId, string>> {
  const summary = await summaryOf(store, session, turn)
  if (summary === null) return refused('The model gave no summary, so everything stays as it is.')
  const { workspace, team, approval } = state
  const title = `${state.title ?? 'Untitled'} (continued)`.slice(-200)
  const content = `[a summary of the session before this one; its shell, with its variables and jobs, stayed there]\n${summary}`
  const id = nextId(session, turn)
  return begin({ workspace, team, approval, title }, [{ role: 'system', content }], id)
}

/** Always the same for one summary: a server that died before it could tell of the session finds it again. */
function nextId(session: SessionId, turn: Seq): SessionId {
  const hash = createHash('sha256').update(`${session} ${turn}`).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

async function summaryOf(store: EventStore, session: SessionId, turn: Seq): Promise<string | null> {
  const events = await store.read(session, { after: turn, limit: 1_000 })
  const end = events.findIndex((event) => event.type === 'agent_end')
  const replies = events
    .slice(0, end === -1 ? undefined : end)
    .flatMap((event) =>
      event.type === 'message' && event.role === 'assistant' ? [textOf(event.parts).trim()] : [],
    )
  return replies.findLast((text) => text !== '') ?? null
}
