import type { Event } from '../../protocol/events/event.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import { system } from '../../session/append.ts'
import { documentOf } from '../export/export-session.ts'
import { damagedCode } from '../export/items.ts'
import { readEvent } from '../store/read-log.ts'
import { StoreError } from '../store/store-error.ts'
import { readRecording } from '../terminal/byte-log/recording.ts'
import { logFolderOf } from '../terminal/create-terminal.ts'
import type { Salvaged } from './examine.ts'
import { leftFolder } from './session-folders.ts'

/** A session as a document, as far as it can be read; what is missing stands in its place. */
export async function exportReadable(
  session: SessionId,
  format: ExportFormat,
  { home, salvaged }: { home: string; salvaged: Salvaged },
): Promise<string> {
  const folder = await leftFolder(home, session)
  return documentOf(format, {
    session,
    log: readableLog(session, salvaged),
    textsOf: async () => ({ omitted: 0 }),
    recording: () => (folder === null ? nothing() : readRecording(logFolderOf(folder))),
  })
}

async function* nothing() {}

/** The events that can be read; each gap is an `error` event that says so. */
export function readableLog(session: SessionId, { head, rows }: Salvaged): readonly Event[] {
  if (head === null) return [gap({ from: 1, to: null, at: 0 })]
  const readable = new Map(rows.flatMap(({ seq, body }) => readOne(session, seq, body)))
  const log: Event[] = []
  for (let seq = 1; seq <= head; seq += 1) {
    const event = readable.get(seq)
    if (event !== undefined) {
      log.push(event)
      continue
    }
    const from = seq
    while (seq < head && !readable.has(seq + 1)) seq += 1
    log.push(gap({ from, to: seq, at: log.at(-1)?.at ?? 0 }))
  }
  return log
}

function readOne(session: SessionId, seq: Seq, body: string): readonly (readonly [Seq, Event])[] {
  try {
    return [[seq, readEvent(session, seq, body)]]
  } catch (error) {
    if (error instanceof StoreError) return []
    throw error
  }
}

function gap({ from, to, at }: { from: Seq; to: Seq | null; at: number }): Event {
  const which = to === null ? 'The log' : from === to ? `Event ${from}` : `Events ${from} to ${to}`
  return {
    v: 1,
    seq: from,
    at,
    by: system,
    type: 'error',
    code: damagedCode,
    message: `${which} cannot be read: the database is damaged.`,
    fatal: false,
    retryAfterMs: null,
  }
}
