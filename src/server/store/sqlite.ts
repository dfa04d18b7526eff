import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { readEvent } from './event-body.ts'
import { migrate } from './migrations.ts'
import { DraftRow, EventRow, readRow, readRows, SessionRow, SnapshotRow, toText } from './rows.ts'
import { schema } from './schema.ts'
import { createBlobs } from './sqlite-blobs.ts'
import { readInputs } from './sqlite-inputs.ts'
import { findRun } from './sqlite-runs.ts'
import { checkLimit, span } from './span.ts'
import { createAppend, findKey, findSession } from './sqlite-append.ts'
import type { EventStore, Range } from './store.ts'

/** The store in one file. The caller holds the folder's lock. */
export function openSqliteStore(options: DatabaseOptions): EventStore {
  return createSqliteStore(openMigrated(options))
}

/** A connection to a database of the newest schema, for all that is kept in it. */
export function openMigrated(options: DatabaseOptions): Database {
  const database = openDatabase(options)
  try {
    migrate(database, schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The store on a migrated connection, which it closes in the end. Each method is sync inside. */
export function createSqliteStore(database: Database): EventStore {
  const { file } = database
  const append = createAppend(database)
  let open = true

  function readEvents(session: SessionId, range: Range): readonly Event[] {
    const known = findSession(database, session)
    const { from, to } = span(range, known?.summary.head ?? 0)
    if (!known || to < from) return []
    const rows = database.all(
      'SELECT seq, body FROM events WHERE session = :num AND seq BETWEEN :from AND :to',
      { num: known.num, from, to },
    )
    const bodies = new Map(readRows(file, EventRow, rows).map(({ seq, body }) => [seq, body]))
    return Array.from({ length: to - from + 1 }, (_, index) =>
      readEvent(session, from + index, bodies.get(from + index)),
    )
  }

  return {
    append: async (session, expectedHead, batch) => append(session, expectedHead, batch),
    read: async (session, range) => readEvents(session, range),
    findKey: async (session, key) => findKey(database, session, key),
    summary: async (session) => findSession(database, session)?.summary ?? null,
    async list({ team, workspace, live, limit }) {
      checkLimit(limit)
      const rows = database.all(
        `SELECT * FROM sessions
         WHERE (:team IS NULL OR team = :team) AND (:workspace IS NULL OR workspace = :workspace)
           AND (:live IS NULL OR live = :live)
         ORDER BY updated_at DESC, id DESC LIMIT :limit`,
        {
          team: team ?? null,
          workspace: workspace === undefined ? null : toText(workspace),
          live: live === undefined ? null : 1,
          limit,
        },
      )
      return readRows(file, SessionRow, rows).map(({ summary }) => summary)
    },
    findRun: async (run) => findRun(database, run),
    async inputs(team, limit) {
      checkLimit(limit)
      return readInputs(database, team, limit)
    },
    async snapshot(session) {
      const row = database.get(
        `SELECT seq, fold_version, state FROM snapshots
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      )
      return readRow(file, SnapshotRow, row)
    },
    async saveDraft(session, { step, text }) {
      const saved = database.run(
        `INSERT OR REPLACE INTO drafts (session, step, text)
         SELECT num, :step, :text FROM sessions WHERE id = :session`,
        { session, step, text: toText(text) },
      )
      if (saved === 0) throw new Error(`a draft for session ${session}, which does not exist`)
    },
    async draft(session) {
      const row = database.get(
        `SELECT step, text FROM drafts
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      )
      return readRow(file, DraftRow, row)
    },
    ...createBlobs(database),
    async remove(session) {
      database.run('DELETE FROM sessions WHERE id = :session', { session })
    },
    async forgetKeys(before) {
      database.run('DELETE FROM keys WHERE at < :before', { before })
    },
    async close() {
      if (!open) return
      open = false
      // The driver frees its statements only when they are collected, and until then SQLite defers its
      // own checkpoint. What cannot be folded in now stays in the -wal file for the next start.
      try {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        database.close()
      }
    },
  }
}
