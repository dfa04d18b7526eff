import { setImmediate } from 'node:timers/promises'
import type { SessionId } from '../../protocol/events/seq.ts'
import { beforeAny, inputsOf, newestFirst, type StoredInput } from '../history/past-inputs.ts'
import { SessionRow } from './append.ts'
import type { Database } from './database.ts'
import { readEvent, EventRow } from './read-log.ts'

/** A page is read in a few milliseconds; whoever else wants the store comes in between. */
const pageEvents = 500
/** Whole sessions, the last used first, until so many events were looked at. */
const mostEvents = 500_000

/** In a body, these tell a candidate without parsing it; inside a string their quotes are escaped. */
const candidates = `(type IN ('session_start', 'input_queued')
  OR type = 'session_update' AND instr(body, '"private":') > 0
  OR type = 'message' AND instr(body, '"role":"user"') > 0
  OR type = 'tool_request' AND instr(body, '"isClientInitiated":true') > 0
  OR type = 'run_start' AND instr(body, '"source":"typed"') > 0)`

export async function readInputs(
  database: Database,
  team: string,
  limit: number,
): Promise<readonly StoredInput[]> {
  const sessions = database.all(
    SessionRow,
    'SELECT * FROM sessions WHERE team = :team ORDER BY updated_at DESC',
    { team },
  )
  const inputs: StoredInput[] = []
  let looked = 0
  for (const { num, summary } of sessions) {
    if (inputs.length >= limit || looked >= mostEvents) break
    looked += summary.head
    inputs.push(...(await inputsOfSession(database, { num, ...summary })))
  }
  return newestFirst(inputs).slice(0, limit)
}

async function inputsOfSession(
  database: Database,
  { num, id, head }: { num: number; id: SessionId; head: number },
): Promise<readonly StoredInput[]> {
  const found: StoredInput[] = []
  let so = beforeAny
  for (let from = 1; from <= head; from += pageEvents) {
    const rows = database.all(
      EventRow,
      `SELECT seq, body FROM events
       WHERE session = :num AND seq BETWEEN :from AND :to AND ${candidates} ORDER BY seq`,
      { num, from, to: from + pageEvents - 1 },
    )
    const events = rows.map(({ seq, body }) => readEvent(id, seq, body))
    const { inputs, after } = inputsOf(id, events, so)
    found.push(...inputs)
    so = after
    await setImmediate()
  }
  return found
}
