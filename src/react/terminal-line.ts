import { createSocket, ticketFrom, type SocketState } from '../client/socket/socket.ts'
import { intentsOf } from '../client/session/intents.ts'
import { viewTerminal } from '../client/session/terminal-view.ts'
import { openClient } from './open-client.ts'
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
  const client = openClient({ url, token })
  const socket = createSocket({ url, ticket: ticketFrom(client) })
  const intents = intentsOf(client, session)
  let isLive = false
  let refused: string | null = null
  const tell = () => onState({ link: linkOf(socket.getState(), isLive), refused })
  const refuse = (message: string | null) => {
    if (refused === message) return
    refused = message
    tell()
  }

  socket.subscribe(tell)
  const channel = viewTerminal(socket, {
    session,
    viewport: { rows: screen.rows, cols: screen.cols, visible: true },
    screen,
    onScreen: () => screen.reset(),
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
    drive: (driver) => ask(intents.drive(driver)),
    interrupt: () => ask(intents.interrupt('int')),
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
