import { z } from 'zod'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import { type Batch, type CheckedBatch, checkBatch, isUnlisted, summarise } from './batch.ts'
import { type Database, Text, toText } from './database.ts'
import type { Appended, EventStore, SessionSummary, UsedKey } from './store.ts'

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
