import { WebSocket } from 'ws'
import { createSocket, ticketFrom, type Socket } from '../../src/client/socket/socket.ts'
import type { TerminalChannel, TerminalOptions } from '../../src/client/socket/terminal-channel.ts'
import type { Client } from '../../src/client/wire/connect.ts'
import type { ScreenFrame } from '../../src/protocol/stream/frame.ts'
import { createSignal, type Signal } from '../support/signal.ts'

/** The socket client of a tab, whose connections a test can cut. */
export interface TestTab {
  socket: Socket
  /** Every connection it made, oldest first. */
  lines: readonly WebSocket[]
  states: readonly string[]
  changed: Signal
  /** No goodbye. */
  cut(): void
  close(): void
}

export function openTestTab(server: { url: string; client: Client }): TestTab {
  const lines: WebSocket[] = []
  const states: string[] = []
  const changed = createSignal()
  const socket = createSocket({
    url: server.url,
    // A getter: the server may be another by then.
    ticket: (signal) => ticketFrom(server.client)(signal),
    open(url) {
      const line = new WebSocket(url)
      lines.push(line)
      return line
    },
    wait: (_, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, 20)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
  })
  socket.subscribe(() => {
    states.push(socket.getState())
    changed.fire()
  })
  return {
    socket,
    lines,
    states,
    changed,
    cut: () => lines.at(-1)?.terminate(),
    close: () => socket.close(),
  }
}

/** A terminal that remembers the bytes it was given, and acknowledges them at once. */
export interface TestTerminal {
  channel: TerminalChannel
  screens: readonly ScreenFrame[]
  refusals: readonly string[]
  sizes: readonly { rows: number; cols: number }[]
  live(): boolean
  /** All bytes since the last screen, and where they begin and end. */
  bytes(): Buffer
  from(): number
  end(): number
  text(): string
  until(condition: () => boolean): Promise<void>
}

export function openTestTerminal(
  socket: Socket,
  options: Pick<TerminalOptions, 'session'> & {
    rows?: number
    cols?: number
    onBytes?: (end: number) => void
    isFrozen?: () => boolean
  },
): TestTerminal {
  const screens: ScreenFrame[] = []
  const refusals: string[] = []
  const sizes: { rows: number; cols: number }[] = []
  const changed = createSignal()
  let pieces: Buffer[] = []
  let from = 0
  let end = 0
  let isLive = false
  const drawn = (place: number) => {
    if (!options.isFrozen?.()) channel.drawn(place)
  }
  const channel: TerminalChannel = socket.terminal({
    session: options.session,
    viewport: { rows: options.rows ?? 24, cols: options.cols ?? 80, visible: true },
    onScreen(screen) {
      screens.push(screen)
      pieces = []
      from = screen.offset
      end = screen.offset
      drawn(end)
      changed.fire()
    },
    onBytes(bytes, next) {
      if (next - bytes.length !== end) throw new Error(`a gap before ${next}`)
      pieces.push(Buffer.from(bytes))
      end = next
      drawn(end)
      options.onBytes?.(end)
      changed.fire()
    },
    onSize(size) {
      sizes.push(size)
      changed.fire()
    },
    onRefused(refusal) {
      refusals.push(`${refusal.to}: ${refusal.code}`)
      changed.fire()
    },
    onLive(live) {
      isLive = live
      changed.fire()
    },
  })
  return {
    channel,
    screens,
    refusals,
    sizes,
    live: () => isLive,
    bytes: () => Buffer.concat(pieces),
    from: () => from,
    end: () => end,
    text: () => (screens.at(-1)?.data ?? '') + Buffer.concat(pieces).toString('utf8'),
    until: changed.until,
  }
}
