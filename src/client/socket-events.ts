import type { Refusal } from '../protocol/refusal.ts'
import { ClientError, unreadable } from './client-error.ts'
import type { StreamOptions } from './event-stream.ts'
import { createFrameOrder } from './frame-order.ts'
import type { Channel, ChannelHost } from './socket-channel.ts'

/** Follows a session over the socket as `followEvents` does over a stream of its own. */
export function eventsChannel(
  options: StreamOptions,
  host: ChannelHost,
  settle: (error: ClientError | null) => void,
): Channel {
  const { session } = options
  const order = createFrameOrder(options.after)

  function end(error: ClientError | null): void {
    host.remove()
    settle(error)
  }

  return {
    kind: 'events',
    session,
    up(say) {
      options.onState?.('replaying')
      say({ type: 'subscribe', session, after: order.last() })
    },
    down: () => options.onState?.('connecting'),
    frame(frame) {
      if (frame.type === 'refused') return end(refusedBy(frame))
      if (frame.type !== 'frame') return
      const { fresh, next } = order.take([frame.frame])
      if (fresh.length > 0) options.onFrames(fresh)
      if (next === 'over') return end(null)
      if (next === 'failed') return end(unreadable())
      // A server that says goodbye to the client closes the connection; else only asking again helps.
      if (next === 'resume' && frame.frame.type !== 'closed') host.renew()
    },
    bytes() {},
    goodbye: { type: 'unsubscribe', session },
  }
}

/** A socket has no status; to whoever asks it is a bad request like any other. */
function refusedBy({ code, message }: Refusal): ClientError {
  return new ClientError(message, { kind: 'refused', status: 400, refusal: { code, message } })
}
