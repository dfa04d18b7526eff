import type { SocketFrame } from '../../../protocol/stream/frame.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { Head, SessionId } from '../../../protocol/events/seq.ts'
import type { AppDeps } from '../deps.ts'
import { deliver, type Outlet, say } from './deliver.ts'
import { beyondHead } from './events.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** The sessions one socket follows, each with the frames an event stream would carry. */
export function createSubscriptions(deps: AppDeps, outlet: Outlet) {
  const stops = new Map<SessionId, () => void>()

  function refuse(session: SessionId, { code, message }: Refusal): void {
    say(outlet, { type: 'refused', code, message, to: 'subscribe', session })
  }

  async function start(session: SessionId, after: Head): Promise<void> {
    let stopped = false
    const stopLooking = () => {
      stopped = true
    }
    stops.set(session, stopLooking)
    const found = await deps.hosts.open(session)
    if (stopped) return
    const fault = found.ok ? beyondHead(found.value, after) : found.error
    if (!found.ok || fault !== null) {
      stops.delete(session)
      if (fault !== null) refuse(session, fault)
      return
    }
    const stop = deliver(found.value, {
      outlet,
      after,
      bounds: deps.bounds,
      text: (frame) => JSON.stringify({ type: 'frame', session, frame } satisfies SocketFrame),
      ended(reason) {
        stops.delete(session)
        // All sessions share the one queue: a client too slow for one is too slow for the socket.
        if (reason === 'slow') outlet.finish(deps.bounds.graceMs)
      },
    })
    stops.set(session, stop)
  }

  /** The client is gone. */
  function clear(): void {
    for (const stop of stops.values()) stop()
    stops.clear()
  }

  return {
    add(session: SessionId, after: Head): void {
      if (stops.has(session)) {
        refuse(session, { code: 'bad_request', message: `already subscribed to ${session}` })
      } else if (stops.size >= deps.bounds.subscriptions) {
        const message = `one socket follows at most ${deps.bounds.subscriptions} sessions`
        refuse(session, { code: 'overloaded', message })
      } else {
        start(session, after).catch((error: unknown) => {
          stops.delete(session)
          deps.diagnostics(`socket on ${session} failed: ${String(error)}`)
          refuse(session, {
            code: 'internal',
            message: 'an unexpected error; see the server diagnostics',
          })
        })
      }
    },
    remove(session: SessionId): void {
      stops.get(session)?.()
      if (!stops.delete(session)) {
        const message = `not subscribed to ${session}`
        say(outlet, { type: 'refused', code: 'bad_request', message, to: 'unsubscribe', session })
      }
    },
    /** Says goodbye to each. */
    endAll(reason: 'shutdown'): void {
      for (const session of stops.keys())
        say(outlet, { type: 'frame', session, frame: { type: 'closed', reason } })
      clear()
    },
    clear,
  }
}
