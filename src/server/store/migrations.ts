import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Database, guarded } from './database.ts'
import type { Migration } from './schema.ts'
import { StoreError } from './store-error.ts'

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
