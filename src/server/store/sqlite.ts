import { z } from 'zod'
import type { RunId } from '../../protocol/events/seq.ts'
import { createAppend, findSession, SessionRow } from './append.ts'
import { type Database, type DatabaseOptions, openDatabase, Text, toText } from './database.ts'
import { checkLimit, EventRow, readEvent, runOf, span } from './read-log.ts'
import { schema, migrate } from './schema.ts'
import { hashOf } from './blob-hash.ts'
import { readInputs } from './sqlite-inputs.ts'
import type { EventStore, StoredRun } from './store.ts'
import { limits } from '../../protocol/limits.ts'

/** The store in one file. The caller holds the folder's lock. */
export function openSqliteStore(options: DatabaseOptions): EventStore {
  return createSqliteStore(openMigrated(options))
}

/** A connection to a database of the newest schema, for all that is kept in it. */
export function openMigrated(options: DatabaseOptions): Database {
  return openDatabase(options, (database) => migrate(database, schema))
}

/** The store on a migrated connection, which it closes in the end. Each method is sync inside. */
export function createSqliteStore(database: Database): EventStore {
  let open = true
  return {
    ...createAppend(database),
    ...createReading(database),
    ...createDrafts(database),
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

type Reading = Pick<EventStore, 'read' | 'summary' | 'list' | 'findRun' | 'inputs'>

function createReading(database: Database): Reading {
  return {
    async read(session, range) {
      const known = findSession(database, session)
      const { from, to } = span(range, known?.summary.head ?? 0)
      if (!known || to < from) return []
      const rows = database.all(
        EventRow,
        'SELECT seq, body FROM events WHERE session = :num AND seq BETWEEN :from AND :to',
        { num: known.num, from, to },
      )
      const bodies = new Map(rows.map(({ seq, body }) => [seq, body]))
      return Array.from({ length: to - from + 1 }, (_, index) =>
        readEvent(session, from + index, bodies.get(from + index)),
      )
    },
    summary: async (session) => findSession(database, session)?.summary ?? null,
    async list({ team, workspace, live, listed, limit }) {
      checkLimit(limit)
      const rows = database.all(
        z.unknown(),
        `SELECT * FROM sessions
         WHERE (:team IS NULL OR team = :team) AND (:workspace IS NULL OR workspace = :workspace)
           AND (:live IS NULL OR live = :live) AND (:unlisted IS NULL OR unlisted = :unlisted)
         ORDER BY updated_at DESC, id DESC LIMIT :limit`,
        {
          team: team ?? null,
          workspace: workspace === undefined ? null : toText(workspace),
          live: live === undefined ? null : 1,
          unlisted: listed === undefined ? null : Number(!listed),
          limit,
        },
      )
      // A damaged row costs the list that row only; whoever opens its session is told.
      return rows.flatMap((row) => {
        const parsed = SessionRow.safeParse(row)
        return parsed.success ? [parsed.data.summary] : []
      })
    },
    findRun: async (run) => findRun(database, run),
    async inputs(team, limit) {
      checkLimit(limit)
      return readInputs(database, team, limit)
    },
  }
}

const SnapshotRow = z
  .object({ seq: z.number(), fold_version: z.number(), state: z.string() })
  .transform(({ seq, fold_version: foldVersion, state }) => ({ seq, foldVersion, state }))

const DraftRow = z.object({ step: z.number(), text: Text })

function createDrafts(database: Database): Pick<EventStore, 'snapshot' | 'saveDraft' | 'draft'> {
  return {
    snapshot: async (session) =>
      database.get(
        SnapshotRow,
        `SELECT seq, fold_version, state FROM snapshots
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      ),
    async saveDraft(session, { step, text }) {
      const saved = database.run(
        `INSERT OR REPLACE INTO drafts (session, step, text)
         SELECT num, :step, :text FROM sessions WHERE id = :session`,
        { session, step, text: toText(text) },
      )
      if (saved === 0) throw new Error(`a draft for session ${session}, which does not exist`)
    },
    draft: async (session) =>
      database.get(
        DraftRow,
        `SELECT step, text FROM drafts
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      ),
  }
}

const RunRow = z.object({ id: z.string(), ...EventRow.shape })

/** The two conditions stand here as they stand in the index: only so is it used. */
export const runQuery = `SELECT sessions.id, seq, body FROM events
  JOIN sessions ON sessions.num = events.session
  WHERE type IN ('run_start', 'run_end') AND json_extract(body, '$.run') = :run
  ORDER BY seq`

function findRun(database: Database, run: RunId): StoredRun | null {
  const rows = database.all(RunRow, runQuery, { run })
  const [first] = rows
  if (first === undefined) return null
  const found = runOf(
    rows.map(({ id, seq, body }) => readEvent(id, seq, body)),
    run,
  )
  return found && { session: first.id, ...found }
}

const BlobRow = z
  .object({ media_type: z.string(), bytes: z.instanceof(Uint8Array) })
  .transform(({ media_type: mediaType, bytes }) => ({ mediaType, bytes: Buffer.from(bytes) }))

const CountRow = z.object({ count: z.number(), bytes: z.number() })

/** Bytes that events refer to. They go with their session. */
function createBlobs(database: Database): Pick<EventStore, 'saveBlob' | 'blob' | 'blobs'> {
  return {
    async saveBlob(session, { bytes, mediaType }) {
      const hash = hashOf(bytes)
      // Written over with itself if it is there, so that a row counts either way.
      const saved = database.run(
        `INSERT INTO blobs (session, hash, media_type, bytes)
         SELECT num, :hash, :mediaType, :bytes FROM sessions WHERE id = :session
         ON CONFLICT DO UPDATE SET hash = hash`,
        { session, hash, mediaType, bytes },
      )
      if (saved === 0) throw new Error(`a blob for session ${session}, which does not exist`)
      return hash
    },
    blob: async (session, hash) =>
      database.get(
        BlobRow,
        `SELECT media_type, bytes FROM blobs
         WHERE session = (SELECT num FROM sessions WHERE id = :session) AND hash = :hash`,
        { session, hash },
      ),
    async blobs(session) {
      const row = database.get(
        CountRow,
        `SELECT count(*) AS count, coalesce(sum(length(bytes)), 0) AS bytes FROM blobs
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      )
      return row ?? { count: 0, bytes: 0 }
    },
  }
}

interface ForgetKeysDeps {
  store: Pick<EventStore, 'forgetKeys'>
  clock(): number
  diagnose(message: string, error: unknown): void
  everyMs?: number
}

/** A server may run for months; keys are kept for days. */
const defaultEveryMs = 6 * 60 * 60 * 1000

/** Forgets, at once and again and again, the keys that nobody repeats any more. */
export function forgetKeys({
  store,
  clock,
  diagnose,
  everyMs = defaultEveryMs,
}: ForgetKeysDeps): () => void {
  function forget(): void {
    store
      .forgetKeys(clock() - limits.keyDays * 86_400_000)
      .catch((error: unknown) => diagnose('old keys could not be forgotten', error))
  }
  forget()
  const timer = setInterval(forget, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
