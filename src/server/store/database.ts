import { closeSync, mkdirSync, openSync, chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { guarded } from './store-error.ts'

export type Params = Readonly<Record<string, string | number | Uint8Array | null>>

/** One connection. Rows are unknown until a schema has read them. */
export interface Database {
  readonly file: string
  exec(sql: string): void
  /** How many rows it changed. */
  run(sql: string, params?: Params): number
  get(sql: string, params?: Params): unknown
  all(sql: string, params?: Params): readonly unknown[]
  /** All of the work or none of it; the write lock is taken first, so nothing is decided on stale rows. */
  transaction<T>(work: () => T): T
  close(): void
}

/** What SECURITY 5.3 promises a client at most before it hears 503. */
const busyTimeoutMs = 5_000

export interface DatabaseOptions {
  file: string
  busyTimeoutMs?: number | undefined
}

/** A connection for events: a commit that returned survives a power cut. */
export function openDatabase(options: DatabaseOptions): Database {
  const database = connect(options)
  try {
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    // A removed session must not stay readable in free pages.
    database.exec('PRAGMA secure_delete = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** A bare connection to a file that only its owner can read. */
export function connect(options: DatabaseOptions): Database {
  const { file } = options
  const connection = guarded(file, () => {
    createPrivately(file)
    return new DatabaseSync(file, { timeout: options.busyTimeoutMs ?? busyTimeoutMs })
  })
  // Every statement is a constant, so the cache is bounded by the code.
  const prepared = new Map<string, StatementSyncInstance>()

  function prepare(sql: string): StatementSyncInstance {
    const known = prepared.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  function transaction<T>(work: () => T): T {
    guarded(file, () => connection.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      guarded(file, () => connection.exec('COMMIT'))
      return result
    } catch (error) {
      // On a full disk SQLite has often rolled back by itself.
      if (connection.isTransaction) guarded(file, () => connection.exec('ROLLBACK'))
      throw error
    }
  }

  return {
    file,
    exec: (sql) => guarded(file, () => connection.exec(sql)),
    run: (sql, params = {}) => guarded(file, () => prepare(sql).run(params).changes),
    get: (sql, params = {}) => guarded(file, (): unknown => prepare(sql).get(params)),
    all: (sql, params = {}) => guarded(file, (): unknown[] => prepare(sql).all(params)),
    transaction,
    close() {
      prepared.clear()
      if (connection.isOpen) guarded(file, () => connection.close())
    },
  }
}

/**
 * SQLite would create the file as the umask allows; its -wal and -shm take the file's mode.
 * A file that exists is never opened here: closing it again would drop every lock that this process
 * holds on it (POSIX), and with them the safety of a connection that is open elsewhere.
 */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(file, 0o600)
  }
}
