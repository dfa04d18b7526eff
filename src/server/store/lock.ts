import { join } from 'node:path'
import { ok, refused, type Result } from '../../base/result.ts'
import { connect, type Database } from './database.ts'
import { StoreError } from './store-error.ts'

/** The right to be the one server of a data folder. */
export interface Lock {
  release(): void
}

export interface LockRefusal {
  code: 'taken'
  message: string
}

/** A connection that is garbage collected lets go of its lock; a lock is held until it is released. */
const held = new Set<Database>()

/**
 * Takes the folder's lock without waiting. SQLite's own file lock is the one the operating system
 * drops with the process, however it dies: no stale pid file can keep the next server out.
 */
export function acquireLock(folder: string): Result<Lock, LockRefusal> {
  const database = connect({ file: join(folder, 'server.lock'), busyTimeoutMs: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (!(error instanceof StoreError && error.code === 'store_busy')) throw error
    const message = `another Tandem server uses ${folder}. Connect to it, stop it, or set TANDEM_HOME to another folder.`
    return refused({ code: 'taken', message })
  }
  held.add(database)
  return ok({
    release() {
      held.delete(database)
      database.close()
    },
  })
}
