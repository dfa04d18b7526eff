import { join } from 'node:path'
import { z } from 'zod'
import { SessionId } from '../../protocol/events/seq.ts'
import { SessionRow } from '../store/append.ts'
import { connect, type Database } from '../store/database.ts'
import { EventRow } from '../store/read-log.ts'
import { StoreError } from '../store/store-error.ts'
import { isDeleted, type SessionFolder, sessionFolders } from './session-folders.ts'

/** The findings on a data folder. Nothing found: the log is sound. */
export const Findings = z.object({
  /** SQLite's own words, the first few. */
  problems: z.array(z.string()),
  /** Sessions whose log cannot be read whole. */
  damaged: z.array(SessionId),
  /** Sessions that have a folder but no log that could be read. */
  lost: z.array(SessionId),
})
export type Findings = z.infer<typeof Findings>

/** Everything of a session's log that can be read, by seq; `head` is null when not even its row is there. */
export const Salvaged = z.object({
  head: z.number().nullable(),
  rows: z.array(EventRow),
})
export type Salvaged = z.infer<typeof Salvaged>

/** Checks pages, rows and folders against each other. Reads everything: it has a process of its own. */
export async function examine(home: string): Promise<Findings> {
  // Folders first: a session that begins meanwhile has its row before its folder.
  const folders: SessionFolder[] = []
  for await (const found of sessionFolders(home)) folders.push(found)
  return reading(home, async (database) => {
    const problems = quickCheck(database)
    const rows = readTable(database, 'sessions', ListedRow)
    const known = new Set(rows.map(({ id }) => id))
    const lost: SessionId[] = []
    for (const { id, folder } of folders)
      if (!known.has(id) && !(await isGoing(home, folder))) lost.push(id)
    const damaged = rows.filter((row) => !isWhole(database, row)).map(({ id }) => id)
    return { problems, damaged, lost }
  })
}

/** Reads around what is damaged, by the index and then by the table itself. */
export function salvage(home: string, session: SessionId): Promise<Salvaged> {
  return reading(home, async (database) => {
    const row = readTable(database, 'sessions', ListedRow).find(({ id }) => id === session)
    if (row === undefined) return { head: null, rows: [] }
    const found = new Map<number, string>()
    const byIndex = `SELECT seq, body FROM events
      WHERE session = ${row.num} AND seq BETWEEN :from AND :to`
    for (const { seq, body } of around(database, EventRow, { sql: byIndex, to: row.head }))
      found.set(seq, body)
    if (found.size < row.head)
      for (const { session: num, seq, body } of readTable(database, 'events', StoredEvent))
        if (num === row.num) found.set(seq, body)
    const rows = [...found].map(([seq, body]) => ({ seq, body })).sort((a, b) => a.seq - b.seq)
    return { head: row.head, rows }
  })
}

const ListedRow = z.looseObject({ num: z.number(), id: SessionId, head: z.number() })
const StoredEvent = z.object({ session: z.number(), ...EventRow.shape })
const Last = z.object({ last: z.number().nullable() })
const Counted = z.object({ count: z.number(), bad: z.number() })
const Checked = z.object({ quick_check: z.string() })

/** One snapshot for all questions: the server goes on writing meanwhile. */
async function reading<T>(home: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect({ file: join(home, 'tandem.db') })
  try {
    database.exec('PRAGMA query_only = ON')
    database.exec('BEGIN')
    return await work(database)
  } finally {
    database.close()
  }
}

const mostProblems = 20

function quickCheck(database: Database): string[] {
  try {
    const rows = database.all(Checked, `PRAGMA quick_check(${mostProblems})`)
    return rows.map(({ quick_check: found }) => found).filter((found) => found !== 'ok')
  } catch (error) {
    return [damageIn(error)]
  }
}

function isWhole(database: Database, row: z.infer<typeof ListedRow>): boolean {
  if (!SessionRow.safeParse(row).success) return false
  try {
    const counted = database.get(
      Counted,
      `SELECT count(*) AS count, coalesce(sum(NOT json_valid(body)), 0) AS bad
       FROM events WHERE session = :num AND seq BETWEEN 1 AND :head`,
      { num: row.num, head: row.head },
    )
    return counted?.count === row.head && counted.bad === 0
  } catch (error) {
    damageIn(error)
    return false
  }
}

/** A deletion that is under way: its mark came before its rows went. */
async function isGoing(home: string, folder: string): Promise<boolean> {
  if (await isDeleted(folder)) return true
  for await (const still of sessionFolders(home)) if (still.folder === folder) return false
  return true
}

/** Looked through when the last row cannot be told. */
const mostRows = 2 ** 20

/** All rows of a table that can be read, without its indexes; one that is no such row is left out. */
function readTable<T>(database: Database, table: 'sessions' | 'events', schema: z.ZodType<T>): T[] {
  const sql = `SELECT * FROM ${table} NOT INDEXED WHERE rowid BETWEEN :from AND :to`
  const rows = around(database, z.unknown(), { sql, to: lastRow(database, table) })
  return [...rows].flatMap((row) => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
}

function lastRow(database: Database, table: string): number {
  try {
    return database.get(Last, `SELECT max(rowid) AS last FROM ${table} NOT INDEXED`)?.last ?? 0
  } catch (error) {
    damageIn(error)
    return mostRows
  }
}

interface Stretch {
  sql: string
  from?: number
  to: number
  /** Questions that may still fail. */
  patience?: { left: number }
}

/** Every row of a damaged branch fails: a second or two of that is enough. */
const mostFailures = 50_000

/** The rows of a stretch; where it cannot be read, those of its halves. */
function* around<T>(
  database: Database,
  schema: z.ZodType<T>,
  { sql, from = 1, to, patience = { left: mostFailures } }: Stretch,
): Generator<T, void> {
  if (to < from || patience.left === 0) return
  let rows: readonly T[]
  try {
    rows = database.all(schema, sql, { from, to })
  } catch (error) {
    damageIn(error)
    patience.left -= 1
    if (from === to) return
    const middle = Math.floor((from + to) / 2)
    yield* around(database, schema, { sql, from, to: middle, patience })
    yield* around(database, schema, { sql, from: middle + 1, to, patience })
    return
  }
  yield* rows
}

/** The words of a damage; anything else that goes wrong is no finding. */
function damageIn(error: unknown): string {
  if (error instanceof StoreError && error.code === 'damaged') return error.message
  throw error
}
