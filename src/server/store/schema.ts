import { type Database, guarded } from './database.ts'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { StoreError } from './store-error.ts'

/** One step from the schema before it to the next; runs inside the migration's transaction. */
export type Migration = (database: Database) => void

/**
 * Free text (title, workspace, key, draft, event, path, assignee) is stored as JSON: SQLite text ends at a NUL and
 * has no spelling for a lone surrogate, and JSON escapes both, so what went in comes out.
 *
 * Events are an ordinary table with an index, not WITHOUT ROWID: bodies beyond 1 KB would each take
 * overflow pages there (measured at 1.5 KB: twice the disk, 1.5 times the time to read).
 */
const first: Migration = (database) =>
  database.exec(`
    CREATE TABLE sessions (
      num INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      team TEXT NOT NULL,
      workspace TEXT NOT NULL,
      title TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      head INTEGER NOT NULL,
      preview TEXT,
      live INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_time ON sessions (updated_at DESC, id DESC);
    CREATE TABLE events (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      at INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    ) STRICT;
    CREATE TABLE keys (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      key TEXT NOT NULL,
      head INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (session, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
      session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      fold_version INTEGER NOT NULL,
      state TEXT NOT NULL
    ) STRICT;
    CREATE TABLE drafts (
      session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
      step INTEGER NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
  `)

/**
 * Adds what sessions of a team share, and the folders that are trusted. A run is found by its public id
 * however many events there are: only starts and ends of runs are in that index.
 */
const second: Migration = (database) =>
  database.exec(`
    CREATE TABLE teams (
      name TEXT PRIMARY KEY,
      main_session TEXT
    ) STRICT;
    INSERT INTO teams (name) SELECT 'default' UNION SELECT team FROM sessions;
    CREATE TABLE repos (
      team TEXT NOT NULL REFERENCES teams,
      name TEXT NOT NULL,
      path TEXT NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (team, name),
      UNIQUE (team, path)
    ) STRICT;
    CREATE TABLE tasks (
      team TEXT NOT NULL REFERENCES teams,
      num INTEGER NOT NULL,
      title TEXT NOT NULL,
      status TEXT NOT NULL,
      assignee TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (team, num)
    ) STRICT;
    CREATE TABLE trust (
      path TEXT PRIMARY KEY,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE blobs (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      hash TEXT NOT NULL,
      media_type TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (session, hash)
    ) STRICT;
    CREATE INDEX events_by_run ON events (json_extract(body, '$.run'))
      WHERE type IN ('run_start', 'run_end');
  `)

/** Adds what a repeated key is answered with, and what tells the same body from another one. */
const third: Migration = (database) =>
  database.exec(`
    ALTER TABLE keys ADD COLUMN first INTEGER;
    ALTER TABLE keys ADD COLUMN body TEXT;
  `)

/** Adds the standing yeses of people for a folder. */
const fourth: Migration = (database) =>
  database.exec(`
    CREATE TABLE rules (
      id TEXT PRIMARY KEY,
      folder TEXT NOT NULL,
      at INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX rules_by_folder ON rules (folder);
  `)

/** Adds which sessions no list names: those of calls whose callers keep the history. */
const fifth: Migration = (database) =>
  database.exec(`
    ALTER TABLE sessions ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX sessions_unlisted ON sessions (updated_at DESC, id DESC) WHERE unlisted = 1;
  `)

/** In order; the n-th leads to schema n. Released ones are never edited, only followed. */
export const schema: readonly Migration[] = [first, second, third, fourth, fifth]

const Version = z.object({ user_version: z.number().int() })

/** Brings the database to the newest schema, all pending steps or none; the old one is kept as a backup. */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  const found = version(database)
  if (found > migrations.length) {
    throw new StoreError(
      'newer_schema',
      `${database.file} was written by a newer Tandem (schema ${found}; this one knows ${migrations.length}). Upgrade Tandem, or move the file away.`,
    )
  }
  if (found === migrations.length) return
  if (found > 0) backUp(database)
  // Rebuilding a table drops the old one, and with foreign keys on that would delete what refers to it.
  database.exec('PRAGMA foreign_keys = OFF')
  try {
    database.transaction(() => {
      // Read again under the write lock: another process may just have done it.
      for (const step of migrations.slice(version(database))) step(database)
      const broken = database.all(z.unknown(), 'PRAGMA foreign_key_check')
      if (broken.length > 0)
        throw new Error(`the migration of ${database.file} leaves ${broken.length} orphaned rows`)
      database.exec(`PRAGMA user_version = ${migrations.length}`)
    })
  } finally {
    database.exec('PRAGMA foreign_keys = ON')
  }
}

function version(database: Database): number {
  return database.get(Version, 'PRAGMA user_version')?.user_version ?? 0
}

/** Copies the database to `<file>.backup`. The previous backup goes only when the new one is whole. */
function backUp(database: Database): void {
  const backup = `${database.file}.backup`
  const unfinished = `${backup}.new`
  guarded(backup, () => {
    rmSync(unfinished, { force: true })
    closeSync(openSync(unfinished, 'wx', 0o600))
  })
  database.run('VACUUM INTO :unfinished', { unfinished })
  guarded(backup, () => {
    sync(unfinished)
    renameSync(unfinished, backup)
    sync(dirname(backup))
  })
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
