import type { CreateSession } from '../../protocol/http/session-routes.ts'
import { textOf } from '../../protocol/events/message.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import type { SuppliedMessage } from '../../session/conversation/supplied-history.ts'
import type { Writer } from './writer.ts'
import type { Beginning, EventStore } from '../store/store.ts'

/** Gives what another session would begin with; nothing is stored yet. */
export type Begin = (
  options: CreateSession,
  history: readonly SuppliedMessage[],
) => Promise<Result<Beginning, string>>

export interface CompactedSession {
  store: EventStore
  session: SessionId
  writer: Writer
}

/**
 * Begins a session with the summary that a turn of this one gave. This one stays as it is, and tells of the other in
 * the append that begins it: a server that dies leaves both or none, and the next one does it once.
 */
export async function compact(
  { store, session, writer }: CompactedSession,
  turn: Seq,
  begin: Begin,
): Promise<Result<SessionId, string>> {
  const summary = await summaryOf(store, session, turn)
  if (summary === null) return refused('The model gave no summary, so everything stays as it is.')
  const state = writer.state()
  const { workspace, team, approval, isAttended: attended } = state
  const title = `${state.title ?? 'Untitled'} (continued)`.slice(-200)
  const content = `[a summary of the session before this one; its shell, with its variables and jobs, stayed there]\n${summary}`
  const begins = await begin({ workspace, team, approval, attended, title }, [
    { role: 'system', content },
  ])
  if (!begins.ok) return begins
  const next = ok(begins.value.session)
  const told = await writer.inTurn(async ({ drain, tell }) => {
    await drain()
    await tell({ type: 'compacted', turn, next }, { begins: begins.value })
    return next
  })
  return told.ok ? told : refused(told.error.message)
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
