import type { Event } from '../../protocol/events/event.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { SessionId, Seq } from '../../protocol/events/seq.ts'
import type { NewEvent } from '../../session/append.ts'
import { giveShell, hasShell, notToGive } from '../../session/decide/give-shell.ts'
import type { Writer } from './writer.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CreateSession } from '../../protocol/http/session-routes.ts'
import { textOf } from '../../protocol/events/message.ts'
import type { SuppliedMessage } from '../../session/conversation/supplied-history.ts'
import type { Beginning, EventStore } from '../store/store.ts'

/** A session that is about to begin with the shell of another one. */
export interface Taker {
  id: SessionId
  folder: string
  /** Its first events, with what it has to tell of the shell. */
  begin(news: readonly NewEvent[]): readonly Event[]
}

export interface HandOverDeps {
  id: SessionId
  writer: Writer
  terminal: Terminal
}

/**
 * Gives the shell to a new session; false when there is none to give, and then nothing has begun. Both logs tell
 * it in one append. Only then the holder moves: one that was not asked any more is called by the new session. What
 * the holder is asked is asked outside the session's queue: it may be stopped.
 */
export async function handOver(
  { id, writer, terminal }: HandOverDeps,
  taker: Taker,
): Promise<Result<boolean, Refusal>> {
  const before = writer.state()
  if (!hasShell(before)) return ok(false)
  const refusal = notToGive(before)
  if (refusal) return refused(refusal)
  const offer = await terminal.offer()
  if (offer === 'silent') return refused(silent)
  if (offer === null) return ok(false)
  const taken = await writer.inTurn<Given>(async ({ drain, envelope, commit }) => {
    // A line typed while the screen was drawn may run by now, or has run.
    await drain()
    if (!hasShell(writer.state())) return ok(null)
    const late = notToGive(writer.state())
    if (late) return refused(late)
    const hasRun = writer.state().stamp !== before.stamp
    const { isBusy: wasBusy, ...offered } = offer
    const isBusy = wasBusy || hasRun || terminal.liveView.state().phase === 'running'
    if (isBusy) return refused(justBusy)
    const given = giveShell(writer.state(), envelope({ session: id, to: taker.id, ...offered }))
    if (!given.ok) return given
    const events = taker.begin(given.value.news)
    await commit(given.value.events, { begins: { session: taker.id, events, live: true } })
    // It is asked before anything else of this session is, and waited for elsewhere.
    return ok({ moved: terminal.give(taker.folder) })
  })
  if (!taken.ok) return taken
  await taken.value?.moved
  return ok(taken.value !== null)
}

type Given = { moved: Promise<void> } | null

const justBusy: Refusal = {
  code: 'terminal_busy',
  message: 'A program runs in the terminal: end it first.',
}

const silent: Refusal = {
  code: 'terminal_busy',
  message: 'The shell does not answer, so it cannot move. Restart it, or try again.',
}

/** The things that a session takes along from the one before it. */
export interface Kept {
  history: readonly SuppliedMessage[]
  model: string | null
  private: boolean
}

/** Gives what another session would begin with; nothing is stored yet. */
export type Begin = (options: CreateSession, kept: Kept) => Promise<Result<Beginning, string>>

interface CompactedSession {
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
  const begins = await begin(
    { workspace, team, approval, attended, title },
    { history: [{ role: 'system', content }], model: state.model, private: state.private },
  )
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
