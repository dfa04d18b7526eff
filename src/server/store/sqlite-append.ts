import type { Head, SessionId } from '../../protocol/seq.ts'
import { type Batch, type CheckedBatch, checkBatch } from './batch.ts'
import type { Database } from './database.ts'
import { KeyRow, NumRow, readRow, SessionRow, toText } from './rows.ts'
import type { Appended, SessionSummary } from './store.ts'
import { summarise } from './summary.ts'

type Append = (session: SessionId, expectedHead: Head, batch: Batch) => Appended

/** Everything an append brings, in one transaction. No statement here may scan a table. */
export function createAppend(database: Database): Append {
  function saveSummary(known: SessionRow | null, summary: SessionSummary): number {
    const { id, team, workspace, createdAt, updatedAt, head } = summary
    const changing = {
      title: textOrNull(summary.title),
      updatedAt,
      head,
      preview: textOrNull(summary.preview),
      live: Number(summary.live),
    }
    if (known) {
      database.run(
        `UPDATE sessions SET title = :title, updated_at = :updatedAt, head = :head,
         preview = :preview, live = :live WHERE num = :num`,
        { num: known.num, ...changing },
      )
      return known.num
    }
    const row = database.get(
      `INSERT INTO sessions (id, team, workspace, title, created_at, updated_at, head, preview, live)
       VALUES (:id, :team, :workspace, :title, :createdAt, :updatedAt, :head, :preview, :live) RETURNING num`,
      { id, team, workspace: toText(workspace), createdAt, ...changing },
    )
    return NumRow.parse(row).num
  }

  function saveBatch(session: number, batch: CheckedBatch): void {
    for (const event of batch.events) {
      const { seq, type, at } = event
      database.run(
        'INSERT INTO events (session, seq, type, at, body) VALUES (:session, :seq, :type, :at, :body)',
        { session, seq, type, at, body: JSON.stringify(event) },
      )
    }
    const { key, snapshot, clearDraft, head, at } = batch
    if (key !== undefined) {
      database.run(
        'INSERT INTO keys (session, key, head, at) VALUES (:session, :key, :head, :at)',
        { session, key: toText(key), head, at },
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

  function save(session: SessionId, known: SessionRow | null, batch: CheckedBatch): void {
    const summary = summarise(session, known?.summary ?? null, batch)
    saveBatch(saveSummary(known, summary), batch)
  }

  return (session, expectedHead, batch) => {
    const checked = checkBatch(expectedHead, batch)
    const beginning = batch.begins && checkBatch(0, batch.begins)
    return database.transaction((): Appended => {
      const known = findSession(database, session)
      // The key first: who repeats an intent after a crash cannot know where the log ends now.
      const repeated = checked.key === undefined ? null : findKey(database, session, checked.key)
      if (repeated !== null) return { outcome: 'repeated', head: repeated }
      const head = known?.summary.head ?? 0
      if (head !== expectedHead) return { outcome: 'conflict', head }
      save(session, known, checked)
      // One that is there already breaks the append as a whole: ids are random.
      if (batch.begins && beginning) save(batch.begins.session, null, beginning)
      return { outcome: 'stored' }
    })
  }
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : toText(text)
}

export function findSession(database: Database, id: SessionId): SessionRow | null {
  const row = database.get('SELECT * FROM sessions WHERE id = :id', { id })
  return readRow(database.file, SessionRow, row)
}

export function findKey(database: Database, id: SessionId, key: string): Head | null {
  const row = database.get(
    `SELECT keys.head FROM sessions JOIN keys ON keys.session = sessions.num
     WHERE sessions.id = :id AND keys.key = :key`,
    { id, key: toText(key) },
  )
  return readRow(database.file, KeyRow, row)?.head ?? null
}
