import {
  type SocketFrame,
  type SocketRequest,
  decodeTerminalBytes,
  type TerminalBytes,
} from '../../protocol/stream/frame.ts'
import type { ClientError } from '../wire/client-error.ts'
import type { Line } from './line.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { SessionId } from '../../protocol/events/seq.ts'

/** All that one tab follows, brought up on every connection anew. */
export interface Channels {
  /** Comes up as soon as it can. */
  add<C extends Channel>(make: (host: ChannelHost) => C): C
  up(line: Line): void
  down(): void
  /** No connection will come any more. */
  end(error: ClientError): void
  frame(frame: SocketFrame): void
  bytes(message: Uint8Array): void
}

const keyOf = ({ kind, session }: Pick<Channel, 'kind' | 'session'>) => `${kind} ${session}`

export function createChannels(): Channels {
  const channels = new Map<string, Channel>()
  /** Taken back on this connection, with the pong after which nothing more of it can come. */
  const leaving = new Map<string, number>()
  let line: Line | null = null
  let pongs = 0

  function bringUp(channel: Channel): void {
    if (line !== null && !leaving.has(keyOf(channel))) channel.up(line.say)
  }

  function takeBack(channel: Channel): void {
    if (line === null || channel.goodbye === null || leaving.has(keyOf(channel))) return
    line.say(channel.goodbye)
    leaving.set(keyOf(channel), line.fence())
  }

  function onPong(): void {
    pongs += 1
    for (const [key, pong] of leaving) {
      if (pong > pongs) continue
      leaving.delete(key)
      const next = channels.get(key)
      if (next) bringUp(next)
    }
  }

  return {
    add(make) {
      const channel = make({
        renew() {
          takeBack(channel)
          channel.down()
        },
        remove() {
          if (channels.get(keyOf(channel)) !== channel) return
          takeBack(channel)
          channels.delete(keyOf(channel))
        },
      })
      if (channels.has(keyOf(channel)))
        throw new Error(`${keyOf(channel)} is on this socket already: share its feed`)
      channels.set(keyOf(channel), channel)
      bringUp(channel)
      return channel
    },
    up(next) {
      line = next
      pongs = 0
      for (const channel of channels.values()) bringUp(channel)
    },
    down() {
      if (line === null) return
      line = null
      leaving.clear()
      for (const channel of channels.values()) channel.down()
    },
    end(error) {
      for (const channel of channels.values()) channel.end?.(error)
    },
    frame(frame) {
      if (frame.type === 'pong') return onPong()
      const addressee = addresseeOf(frame)
      const key = addressee && keyOf(addressee)
      if (key !== null && !leaving.has(key)) channels.get(key)?.frame(frame)
    },
    bytes(message) {
      const bytes = decodeTerminalBytes(message)
      if (bytes === null) return
      for (const [key, channel] of channels) if (!leaving.has(key)) channel.bytes(bytes)
    },
  }
}

export type ChannelKind = 'events' | 'terminal' | 'secret'

/** One thing that is followed over the tab's socket, on as many connections as it takes. */
export interface Channel {
  kind: ChannelKind
  session: SessionId
  /** A connection is there that knows nothing of it yet. */
  up(say: (request: SocketRequest) => void): void
  /** There is none any more; another will come. */
  down(): void
  /** No connection will come any more; a terminal just stays as it is. */
  end?(error: ClientError): void
  frame(frame: SocketFrame): void
  bytes(bytes: TerminalBytes): void
  /** The request that takes it back; null when there is nothing to take back. */
  goodbye: SocketRequest | null
}

/** The socket, as far as a channel on it asks for something. */
export interface ChannelHost {
  /** Takes it back and, when nothing of it is on the way any more, brings it up anew. */
  renew(): void
  /** Takes it back for good. */
  remove(): void
}

/** The channel that a frame is for; null when it is for the socket itself. */
function addresseeOf(frame: SocketFrame): { kind: ChannelKind; session: SessionId } | null {
  switch (frame.type) {
    case 'ready':
    case 'pong':
      return null
    case 'frame':
      return { kind: 'events', session: frame.session }
    case 'viewing':
    case 'screen':
      return { kind: 'terminal', session: frame.session }
    case 'secret_typed':
      return { kind: 'secret', session: frame.session }
    case 'refused':
      return frame.session === undefined ? null : { kind: kindOf(frame.to), session: frame.session }
    default:
      return assertNever(frame)
  }
}

function kindOf(refused: string | undefined): ChannelKind {
  if (refused === 'subscribe' || refused === 'unsubscribe') return 'events'
  return refused === 'secret' ? 'secret' : 'terminal'
}
