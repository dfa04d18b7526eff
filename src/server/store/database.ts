import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { z } from 'zod'
import { StoreError } from './store-error.ts'

export type Params = Readonly<Record<string, string | number | Uint8Array | null>>

/** One connection. */
export interface Database {
  readonly file: string
  exec(sql: string): void
  /** How many rows it changed. */
  run(sql: string, params?: Params): number
  /** A row as its schema reads it; null when there is none. */
  get<T>(schema: z.ZodType<T>, sql: string, params?: Params): T | null
  all<T>(schema: z.ZodType<T>, sql: string, params?: Params): readonly T[]
  /** All of the work or none of it; the write lock is taken first, so nothing is decided on stale rows. */
  transaction<T>(work: () => T): T
  close(): void
}

/** A client waits no longer than this before it hears 503, as SECURITY 5.3 promises. */
const busyTimeoutMs = 5_000

export interface DatabaseOptions {
  file: string
  busyTimeoutMs?: number | undefined
}

/** A connection for events: a commit that returned survives a power cut. What `prepare` fails on is closed. */
export function openDatabase(
  options: DatabaseOptions,
  prepare: (database: Database) => void = () => undefined,
): Database {
  const database = connect(options)
  try {
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    // A removed session must not stay readable in free pages.
    database.exec('PRAGMA secure_delete = ON')
    prepare(database)
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
    get: (schema, sql, params = {}) =>
      guarded(file, () => {
        const row: unknown = prepare(sql).get(params)
        return row === undefined ? null : schema.parse(row)
      }),
    all: (schema, sql, params = {}) =>
      guarded(file, () => z.array(schema).parse(prepare(sql).all(params))),
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
    // A link would give its target to us, whatever that is, and its rights would change.
    if (!lstatSync(file).isFile())
      throw new StoreError('store_failed', `${file} is a link, or no file. Move it away.`)
    chmodSync(file, 0o600)
  }
}

/** Free text in a column; see the schema for why it is JSON. */
export const toText = (text: string): string => JSON.stringify(text)
export const Text = z.string().transform((json, context) => {
  try {
    return z.string().parse(JSON.parse(json))
  } catch {
    context.addIssue({ code: 'custom', message: 'no text as we write it' })
    return z.NEVER
  }
})

/** The fields that SQLite and the file system attach to their errors. */
const Failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  errcode: z.number().optional(),
  systemErrno: z.number().optional(),
})

const sqliteBusy = 5
const sqliteFull = 13
/** SQLite's words for a file that is damaged, or is something else. */
const damaged: ReadonlySet<number> = new Set([11, 26])
/** The driver gives no number when a row cannot be reached, only SQLite's words. */
const damagedWords = /^(?:database disk image is malformed|file is not a database|malformed JSON)$/

const advice = {
  store_busy: 'Another process is using it; try again.',
  disk_full: 'The disk is full; nothing was stored. Free some space and try again.',
  store_failed: 'Nothing was stored. Can the folder be written? TANDEM_HOME may name another.',
  damaged: 'The file is damaged. Put a backup in its place, or move it away to begin anew.',
}

/** The low byte is the plain code; the rest says where it happened. */
function plainCode({ errcode = 0 }: z.infer<typeof Failure>): number {
  return errcode & 0xff
}

function codeOf(failure: z.infer<typeof Failure>): keyof typeof advice {
  const plain = plainCode(failure)
  if (damaged.has(plain) || damagedWords.test(failure.message)) return 'damaged'
  if (plain === sqliteBusy) return 'store_busy'
  if (plain === sqliteFull || failure.code === 'ENOSPC') return 'disk_full'
  return failure.systemErrno === constants.errno.ENOSPC ? 'disk_full' : 'store_failed'
}

/** Runs work on the database at `file`; whatever the world throws comes out as a StoreError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const { code, found } = readFailure(cause)
    throw new StoreError(code, `cannot use ${file}: ${found}. ${advice[code]}`, { cause })
  }
}

function readFailure(cause: unknown): { code: keyof typeof advice; found: string } {
  // A row that is none: SQLite does not notice when the bytes of a value are others.
  if (cause instanceof z.ZodError || cause instanceof SyntaxError)
    return { code: 'damaged', found: 'a row in it cannot be read' }
  const failure = Failure.safeParse(cause)
  return {
    code: failure.success ? codeOf(failure.data) : 'store_failed',
    found: failure.success ? failure.data.message : String(cause),
  }
}
