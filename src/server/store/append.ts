import { z } from 'zod'
import { Event } from '../../protocol/events/event.ts'
import type { Head, Seq, SessionId } from '../../protocol/events/seq.ts'
import { type Database, Text, toText } from './database.ts'
import type { Appended, AppendOptions, EventStore, SessionSummary, UsedKey } from './store.ts'

export interface SessionRow {
  /** Its name in the other tables: eight bytes at most, not its long id. */
  num: number
  summary: SessionSummary
}

export const SessionRow = z
  .object({
    num: z.number(),
    id: z.string(),
    team: z.string(),
    workspace: Text,
    title: Text.nullable(),
    created_at: z.number(),
    updated_at: z.number(),
    head: z.number(),
    preview: Text.nullable(),
    live: z.number(),
  })
  .transform(({ num, created_at: createdAt, updated_at: updatedAt, live, ...rest }): SessionRow => {
    return { num, summary: { ...rest, createdAt, updatedAt, live: live !== 0 } }
  })

const KeyRow = z.object({
  first: z.number().nullable(),
  head: z.number(),
  body: z.string().nullable(),
})
const NumRow = z.object({ num: z.number() })

/** Everything an append brings, in one transaction. No statement here may scan a table. */
export function createAppend(database: Database): Pick<EventStore, 'append' | 'findKey'> {
  function save(session: SessionId, known: SessionRow | null, batch: CheckedBatch): void {
    const summary = summarise(session, known?.summary ?? null, batch)
    const num = known ? known.num : addSession(database, summary, isUnlisted(batch))
    if (known) saveSummary(database, known, summary)
    saveBatch(database, num, batch)
  }

  function append(session: SessionId, expectedHead: Head, batch: Batch): Appended {
    const checked = checkBatch(expectedHead, batch)
    const beginning = batch.begins && checkBatch(0, batch.begins)
    return database.transaction((): Appended => {
      const known = findSession(database, session)
      // The key first: who repeats an intent after a crash cannot know where the log ends now.
      const repeated = checked.key === undefined ? null : findKey(database, session, checked.key)
      if (repeated !== null) return { outcome: 'repeated', head: repeated.head }
      const head = known?.summary.head ?? 0
      if (head !== expectedHead) return { outcome: 'conflict', head }
      save(session, known, checked)
      // A session that is there already breaks the append as a whole: ids are random.
      if (batch.begins && beginning) save(batch.begins.session, null, beginning)
      return { outcome: 'stored' }
    })
  }

  return {
    append: async (session, expectedHead, batch) => append(session, expectedHead, batch),
    findKey: async (session, key) => findKey(database, session, key),
  }
}

function saveSummary(database: Database, { num }: SessionRow, summary: SessionSummary): void {
  database.run(
    `UPDATE sessions SET title = :title, updated_at = :updatedAt, head = :head,
     preview = :preview, live = :live WHERE num = :num`,
    { num, ...changing(summary) },
  )
}

function addSession(database: Database, summary: SessionSummary, unlisted: boolean): number {
  const { id, team, workspace, createdAt } = summary
  const row = database.get(
    NumRow,
    `INSERT INTO sessions (id, team, workspace, title, created_at, updated_at, head, preview, live)
     VALUES (:id, :team, :workspace, :title, :createdAt, :updatedAt, :head, :preview, :live) RETURNING num`,
    { id, team, workspace: toText(workspace), createdAt, ...changing(summary) },
  )
  if (row === null) throw new Error(`session ${id} was not stored`)
  const { num } = row
  if (unlisted) database.run('UPDATE sessions SET unlisted = 1 WHERE num = :num', { num })
  return num
}

/** The columns that every append sets. */
function changing({ title, updatedAt, head, preview, live }: SessionSummary) {
  return {
    title: textOrNull(title),
    updatedAt,
    head,
    preview: textOrNull(preview),
    live: Number(live),
  }
}

function saveBatch(database: Database, session: number, batch: CheckedBatch): void {
  for (const event of batch.events) {
    const { seq, type, at } = event
    database.run(
      'INSERT INTO events (session, seq, type, at, body) VALUES (:session, :seq, :type, :at, :body)',
      { session, seq, type, at, body: JSON.stringify(event) },
    )
  }
  const { key, body = null, snapshot, clearDraft, first, head, at } = batch
  if (key !== undefined) {
    database.run(
      `INSERT INTO keys (session, key, first, head, body, at)
       VALUES (:session, :key, :first, :head, :body, :at)`,
      { session, key: toText(key), first, head, body, at },
    )
  }
  if (snapshot) {
    database.run(
      `INSERT OR REPLACE INTO snapshots (session, seq, fold_version, state)
       VALUES (:session, :seq, :foldVersion, :state)`,
      { session, ...snapshot },
    )
  }
  if (clearDraft) database.run('DELETE FROM drafts WHERE session = :session', { session })
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : toText(text)
}

export function findSession(database: Database, id: SessionId): SessionRow | null {
  return database.get(SessionRow, 'SELECT * FROM sessions WHERE id = :id', { id })
}

function findKey(database: Database, id: SessionId, key: string): UsedKey | null {
  return database.get(
    KeyRow,
    `SELECT keys.first, keys.head, keys.body FROM sessions JOIN keys ON keys.session = sessions.num
     WHERE sessions.id = :id AND keys.key = :key`,
    { id, key: toText(key) },
  )
}

type Batch = { events: readonly Event[] } & AppendOptions

/** A batch as it will be read back, and where the log ends with it. */
export interface CheckedBatch extends AppendOptions {
  events: readonly Event[]
  first: Seq
  head: Head
  at: number
}

/**
 * Throws on what only a bug can send. Parsing here costs microseconds and keeps an event that could
 * never be read again out of the log.
 */
export function checkBatch(expectedHead: Head, batch: Batch): CheckedBatch {
  const events = batch.events.map((event) => Event.parse(event))
  const last = events.at(-1)
  if (!last) throw new Error('an append needs at least one event')
  for (const [index, event] of events.entries()) {
    const seq = expectedHead + 1 + index
    if (event.seq !== seq) throw new Error(`event ${event.seq} stands where ${seq} belongs`)
    if ((event.type === 'session_start') !== (seq === 1))
      throw new Error(`event ${seq} is a ${event.type}: a log starts with session_start, once`)
  }
  if (batch.snapshot && batch.snapshot.seq > last.seq)
    throw new Error(`the snapshot at ${batch.snapshot.seq} is ahead of the log at ${last.seq}`)
  return { ...batch, events, first: expectedHead + 1, head: last.seq, at: last.at }
}

/** Whether a session that begins with it is in no list. */
export function isUnlisted({ events: [first] }: Pick<CheckedBatch, 'events'>): boolean {
  return first?.type === 'session_start' && first.unlisted === true
}

/** The summary after this batch. */
export function summarise(
  id: SessionId,
  known: SessionSummary | null,
  { events, live = false }: { events: readonly Event[]; live?: boolean | undefined },
): SessionSummary {
  let summary = known
  for (const event of events) {
    if (event.type === 'session_start') {
      const { team, workspace, title, at, seq } = event
      const times = { createdAt: at, updatedAt: at, head: seq }
      summary = { id, team, workspace, title, ...times, preview: null, live }
    } else if (summary) {
      const title = (event.type === 'session_update' ? event.title : undefined) ?? summary.title
      const preview = summary.preview ?? previewOf(event)
      summary = { ...summary, title, preview, updatedAt: event.at, head: event.seq, live }
    }
  }
  if (!summary) throw new Error(`session ${id} has no session_start`)
  return summary
}

/** One line of a list holds no more. */
const previewChars = 100

function previewOf(event: Event): string | null {
  const text = saidIn(event)?.trim().split('\n', 1)[0]
  return text ? text.slice(0, previewChars) : null
}

function saidIn(event: Event): string | null {
  if (event.type === 'tool_request')
    return event.meta.isClientInitiated && !event.run?.private ? event.args : null
  if (event.type === 'input_queued') return event.text
  if (event.type !== 'message' || event.role !== 'user' || event.synthetic) return null
  const [first] = event.parts
  return first?.type === 'text' ? first.text : null
}
