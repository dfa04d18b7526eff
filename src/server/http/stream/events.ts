import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { Head } from '../../../protocol/events/seq.ts'
import type { AppDeps } from '../deps.ts'
import { onSession, type Bound } from '../route.ts'
import { deliver, responseOutlet, sseHeartbeat, sseText } from './deliver.ts'
import type { SessionHost } from '../../session/host.ts'

export const eventStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

/** The event stream goes to the raw response: through web streams it is half as fast. */
export function eventsHandler(deps: AppDeps): Bound {
  return onSession(deps.hosts, routes.events, async (host, { query, http }) => {
    const after = startOf(http.incoming, query.after ?? 0)
    if (!after.ok) return after
    const fault = beyondHead(host, after.value)
    if (fault !== null) return refused(fault)
    stream(deps, { host, after: after.value, outgoing: http.outgoing })
    return { response: RESPONSE_ALREADY_SENT }
  })
}

/** A client that reconnects by itself only sets the header, so it wins over the address. */
function startOf(incoming: IncomingMessage, asked: Head): Result<Head, Refusal> {
  const header = incoming.headers['last-event-id']
  if (header === undefined) return ok(asked)
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return ok(Number(header))
  return refused({ code: 'bad_request', message: 'Last-Event-ID must be the seq of an event' })
}

/** A client that has seen more than there is follows another log. */
export function beyondHead(host: SessionHost, after: Head): Refusal | null {
  const { head } = host.view()
  if (after <= head) return null
  return { code: 'bad_request', message: `cannot resume after ${after}: the log ends at ${head}` }
}

interface Stream {
  host: SessionHost
  after: Head
  outgoing: ServerResponse
}

function stream(deps: AppDeps, { host, after, outgoing }: Stream): void {
  const { bounds } = deps
  const outlet = responseOutlet(outgoing)
  outgoing.writeHead(200, eventStreamHeaders)
  outgoing.flushHeaders()
  const stop = deliver(host, {
    outlet,
    after,
    bounds,
    text: sseText,
    ended: () => outlet.finish(bounds.graceMs),
  })
  const heartbeat = setInterval(() => {
    if (outlet.isOpen() && outlet.unsent() === 0) outlet.push(sseHeartbeat)
  }, bounds.heartbeatMs)
  const leave = deps.streams.add(() => {
    stop()
    outlet.push(sseText({ type: 'closed', reason: 'shutdown' }))
    outlet.finish(bounds.graceMs)
  })
  outlet.onClose(() => {
    clearInterval(heartbeat)
    leave()
    stop()
  })
}
