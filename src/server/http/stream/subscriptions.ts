import type { SocketFrame } from '../../../protocol/stream/frame.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { Head, SessionId } from '../../../protocol/events/seq.ts'
import type { StreamDeps } from '../deps.ts'
import type { Result } from '../../../base/result.ts'
import type { SessionHost } from '../../session/host.ts'
import { worldRefusal } from '../../store/store-error.ts'
import { deliver, type Outlet, say, unexpected } from './deliver.ts'
import { beyondHead } from './events.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** The sessions one socket follows, each with the frames an event stream would carry. */
export function createSubscriptions(deps: StreamDeps, outlet: Outlet) {
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
    try {
      const found = await deps.hosts.open(session)
      // It may have been taken back meanwhile, and even asked for again.
      if (!stopped) follow(session, after, found)
    } catch (error) {
      deps.diagnostics(`socket on ${session} failed: ${String(error)}`)
      if (stopped) return
      stops.delete(session)
      refuse(session, worldRefusal(error) ?? unexpected)
    }
  }

  function follow(session: SessionId, after: Head, found: Result<SessionHost, Refusal>): void {
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
        void start(session, after)
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
