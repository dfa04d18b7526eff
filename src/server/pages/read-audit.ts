import { setImmediate as breathe } from 'node:timers/promises'
import { ok, refused, type Result } from '../../base/result.ts'
import type { AuditGap, AuditRow } from '../../protocol/events/audit.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { AuditQuery } from '../../protocol/http/page-routes.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { createAudit } from '../../session/audit/audit.ts'
import { StoreError } from '../store/store-error.ts'
import type { EventStore } from '../store/store.ts'

/** The audit as text, a row a line, in pieces of one page of a log each. */
export type ReadAudit = (
  query: AuditQuery,
) => Promise<Result<AsyncGenerator<string, void>, Refusal>>

/** Far more sessions than anybody has kept. */
const maxSessions = 100_000

/** A few milliseconds' work: nobody who types meanwhile notices. */
const pageEvents = 250

type Store = Pick<EventStore, 'list' | 'summary' | 'read'>

/** Reads the logs of one session or of all, the oldest first; one page at a time is in memory. */
export function createReadAudit(store: Store): ReadAudit {
  return async ({ session, since = -Infinity }) => {
    if (session === undefined) {
      const all = await store.list({ limit: maxSessions })
      const wanted = all.filter(({ updatedAt }) => updatedAt >= since)
      const ids = wanted.toSorted((a, b) => a.createdAt - b.createdAt).map(({ id }) => id)
      return ok(linesOf(store, ids, since))
    }
    const found = await store.summary(session)
    if (found === null)
      return refused({ code: 'not_found', message: `there is no session ${session}` })
    return ok(linesOf(store, [session], since))
  }
}

async function* linesOf(
  store: Store,
  sessions: readonly SessionId[],
  since: number,
): AsyncGenerator<string, void> {
  for (const session of sessions) {
    try {
      for await (const rows of rowsOf(store, session)) {
        const text = rows.map((row) => (row.at >= since ? lineOf(row) : '')).join('')
        if (text !== '') yield text
      }
    } catch (error) {
      // The answer has begun: the others' rows are worth more than a stream that breaks off.
      if (!(error instanceof StoreError)) throw error
      yield lineOf({ session, kind: 'unreadable' })
    }
  }
}

const lineOf = (row: AuditRow | AuditGap) => `${JSON.stringify(row)}\n`

async function* rowsOf(
  store: Store,
  session: SessionId,
): AsyncGenerator<readonly AuditRow[], void> {
  const audit = createAudit(session)
  for (let after = 0; ;) {
    const events = await store.read(session, { after, limit: pageEvents })
    yield events.flatMap((event) => audit.take(event))
    const last = events.at(-1)
    // Removed meanwhile, or at its end.
    if (last === undefined || events.length < pageEvents) break
    after = last.seq
    await breathe()
  }
  yield audit.running()
}
