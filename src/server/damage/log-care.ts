import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { LogDamage } from '../../protocol/http/session-view.ts'
import { createSlots } from '../one-shot/slots.ts'
import type { Diagnostics } from '../process/diagnostics.ts'
import { Findings, Salvaged } from './examine.ts'
import { exportReadable } from './readable.ts'

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
