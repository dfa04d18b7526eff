import { connect } from '../client/connect.ts'
import { createSocket, ticketFrom, type SocketState } from '../client/socket.ts'
import { routes } from '../protocol/routes.ts'
import type { TerminalActions, TerminalScreen, TerminalState } from './terminal-types.ts'

export interface TerminalLine extends TerminalActions {
  close(): void
}

export interface LineOptions {
  url: string
  token: string
  session: string
  screen: TerminalScreen
  onState: (state: TerminalState) => void
}

/** One terminal over a connection of its own, until it is closed. */
export function openTerminalLine({ session, screen, ...options }: LineOptions): TerminalLine {
  const { url, token, onState } = options
  const client = connect({
    url,
    token,
    fetch: (input, init) => fetch(input, init),
    name: 'react',
    newKey: () => crypto.randomUUID(),
  })
  const socket = createSocket({ url, ticket: ticketFrom(client) })
  const params = { id: session }
  let isLive = false
  let refused: string | null = null
  const tell = () => onState({ link: linkOf(socket.getState(), isLive), refused })
  const refuse = (message: string | null) => {
    if (refused === message) return
    refused = message
    tell()
  }

  /** Behind all that was written before. */
  const behind = (change: () => void) => screen.write('', change)

  socket.subscribe(tell)
  const channel = socket.terminal({
    session,
    viewport: { rows: screen.rows, cols: screen.cols, visible: true },
    onScreen({ rows, cols, data, offset }) {
      behind(() => {
        screen.reset()
        screen.resize(cols, rows)
      })
      screen.write(data, () => channel.drawn(offset))
    },
    onBytes: (bytes, end) => screen.write(bytes, () => channel.drawn(end)),
    onSize: ({ rows, cols }) => behind(() => screen.resize(cols, rows)),
    onRefused: ({ message }) => refuse(message),
    onLive(now) {
      isLive = now
      tell()
    },
  })
  const ask = (asked: Promise<unknown>) => {
    asked.then(
      () => refuse(null),
      (error: unknown) => refuse(error instanceof Error ? error.message : String(error)),
    )
  }
  return {
    type(data) {
      const isHeard = channel.type(data)
      refuse(isHeard ? null : 'not connected: this key was not sent')
      return isHeard
    },
    resize: ({ rows, cols, visible = true }) => channel.viewport({ rows, cols, visible }),
    drive: (driver) => ask(client.call(routes.driver, { params, body: { driver } })),
    interrupt: () => ask(client.call(routes.interrupt, { params, body: { signal: 'int' } })),
    close() {
      channel.close()
      socket.close()
    },
  }
}

/** A socket that is up has yet to be shown the terminal. */
function linkOf(state: SocketState, isLive: boolean): TerminalState['link'] {
  return state === 'live' && !isLive ? 'connecting' : state
}
