import type { RunId } from '../../protocol/seq.ts'
import type { Database } from './database.ts'
import { readEvent } from './event-body.ts'
import { readRows, RunRow } from './rows.ts'
import { runOf } from './run-of.ts'
import type { StoredRun } from './store.ts'

/** The two conditions stand here as they stand in the index: only so is it used. */
export const runQuery = `SELECT sessions.id, seq, body FROM events
  JOIN sessions ON sessions.num = events.session
  WHERE type IN ('run_start', 'run_end') AND json_extract(body, '$.run') = :run
  ORDER BY seq`

export function findRun(database: Database, run: RunId): StoredRun | null {
  const rows = readRows(database.file, RunRow, database.all(runQuery, { run }))
  const [first] = rows
  if (first === undefined) return null
  const found = runOf(
    rows.map(({ id, seq, body }) => readEvent(id, seq, body)),
    run,
  )
  return found && { session: first.id, ...found }
}
