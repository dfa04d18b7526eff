import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { Event } from '../../protocol/events/event.ts'
import { limits } from '../../protocol/limits.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { RunId, Seq, SessionId } from '../../protocol/events/seq.ts'
import type { Calls, Caller } from '../wire/call.ts'

/** The state of a session: settings, and what is open. */
export const readSession = ({ call }: Calls, id: SessionId) =>
  call(routes.session, { params: { id } })

/** All of its events. */
export async function readLog({ call }: Calls, id: SessionId): Promise<readonly Event[]> {
  const log: Event[] = []
  for (;;) {
    const query = { after: log.at(-1)?.seq ?? 0, limit: limits.pageEvents }
    const page = await call(routes.log, { params: { id }, query })
    log.push(...page.events)
    if (page.events.length === 0 || query.after + page.events.length >= page.head) return log
  }
}

export async function readEvent({ call }: Calls, id: SessionId, seq: Seq): Promise<Event | null> {
  const query = { after: seq - 1, limit: 1 }
  return (await call(routes.log, { params: { id }, query })).events[0] ?? null
}

interface OfRun {
  session: SessionId
  run: RunId
  from: number
}

/** A page of what a run printed, as text. */
export const readOutput = ({ call }: Calls, { session, run, from }: OfRun) =>
  call(routes.runOutput, { params: { id: session, run }, query: { from } })

/** The same as bytes, and where the next ones begin. */
export const readBytes = ({ bytes }: Pick<Caller, 'bytes'>, { session, run, from }: OfRun) =>
  bytes(routes.runBytes, { params: { id: session, run }, query: { from } })

export function exportSession(
  { document }: Pick<Caller, 'document'>,
  id: SessionId,
  { format, signal }: { format: ExportFormat; signal?: AbortSignal },
): Promise<string> {
  const input = { params: { id }, query: { format }, ...(signal && { signal }) }
  return document(routes.export, input)
}

/** A report on how much of each request had been sent before. */
export const readCache = ({ call }: Calls, id: SessionId) => call(routes.cache, { params: { id } })
