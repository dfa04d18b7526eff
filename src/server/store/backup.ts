import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from './database.ts'
import { guarded } from './store-error.ts'

/** Copies the database to `<file>.backup`. The previous backup goes only when the new one is whole. */
export function backUp(database: Database): void {
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
