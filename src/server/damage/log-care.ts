import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import type { SessionId, Seq } from '../../protocol/events/seq.ts'
import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { LogDamage } from '../../protocol/http/session-view.ts'
import { createSlots } from '../one-shot/slots.ts'
import type { Diagnostics } from '../process/diagnostics.ts'
import { Findings, Salvaged } from './examine.ts'
import type { Event } from '../../protocol/events/event.ts'
import { system } from '../../session/append.ts'
import { documentOf } from '../export/export-session.ts'
import { damagedCode } from '../export/items.ts'
import { readEvent } from '../store/read-log.ts'
import { StoreError } from '../store/store-error.ts'
import { readRecording } from '../terminal/byte-log/read-byte-log.ts'
import { logFolderOf } from '../terminal/create-terminal.ts'
import { leftFolder } from './session-folders.ts'

export interface LogCareOptions {
  /** The data folder. */
  home: string
  /** The bundled program. */
  entry: string
  diagnostics: Diagnostics
}

/** Finds damage to the log, and reads around it. */
export interface LogCare {
  /** Looks through everything, beside the server, which goes on. */
  check(): void
  /** Null as long as nothing was found. */
  damage(): LogDamage | null
  /** A session as a document, as far as it can be read. */
  exportReadable(session: SessionId, format: ExportFormat): Promise<string>
  close(): void
}

export function createLogCare({ home, entry, diagnostics }: LogCareOptions): LogCare {
  const closing = new AbortController()
  // Each reads the whole database, and holds a session in memory: one after the other.
  const salvages = createSlots(1)
  let damage: LogDamage | null = null

  async function ask<T>(schema: z.ZodType<T>, session: SessionId | null): Promise<T> {
    const child = spawn(process.execPath, [entry], {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      // Nothing of ours: what it needs to know comes with the question.
      env: {},
      signal: closing.signal,
      killSignal: 'SIGKILL',
    })
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify({ home, session }))
    return schema.parse(JSON.parse(await Promise.race([text(child.stdout), failed])))
  }

  return {
    check() {
      ask(Findings, null)
        .then((findings) => {
          damage = damageOf(findings)
          const isSound = damage === null
          diagnostics.note('the log was checked after an unclean end', { isSound, ...findings })
        })
        .catch((error: unknown) => {
          if (!closing.signal.aborted) diagnostics.diagnose('the log could not be checked', error)
        })
    },
    damage: () => damage,
    async exportReadable(session, format) {
      const release = await salvages.take(closing.signal)
      try {
        return await exportReadable(session, format, {
          home,
          salvaged: await ask(Salvaged, session),
        })
      } finally {
        release?.()
      }
    },
    close: () => closing.abort(),
  }
}

function damageOf({ problems, damaged, lost }: Findings): LogDamage | null {
  if (problems.length + damaged.length + lost.length === 0) return null
  const said = [
    ...(damaged.length > 0 ? [`${count(damaged)} cannot be read whole`] : []),
    ...(lost.length > 0 ? [`${count(lost)} ${lost.length > 1 ? 'are' : 'is'} lost`] : []),
  ]
  const what = said.length === 0 ? 'no session is known to be concerned' : said.join(', ')
  const message = `The database is damaged: ${what}. Export what can be read (tandem sessions export ID), then put a backup in its place.`
  return { message, damaged, lost }
}

const count = (ids: readonly string[]) => `${ids.length} session${ids.length > 1 ? 's' : ''}`

/** A session as a document, as far as it can be read; what is missing stands in its place. */
async function exportReadable(
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
function readableLog(session: SessionId, { head, rows }: Salvaged): readonly Event[] {
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
