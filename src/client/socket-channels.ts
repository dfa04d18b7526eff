import type { SocketFrame } from '../protocol/frame.ts'
import { decodeTerminalBytes } from '../protocol/terminal.ts'
import { addresseeOf, type Channel, type ChannelHost } from './socket-channel.ts'
import type { Line } from './socket-line.ts'

/** All that one tab follows, brought up on every connection anew. */
export interface Channels {
  /** Comes up as soon as it can. */
  add<C extends Channel>(make: (host: ChannelHost) => C): C
  up(line: Line): void
  down(): void
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
    if (line === null || leaving.has(keyOf(channel))) return
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
