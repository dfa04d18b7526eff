import { useCallback, useEffect, useRef, useState } from 'react'
import { createSocket, ticketFrom, type SocketState } from '../client/socket/socket.ts'
import { intentsOf } from '../client/session/intents.ts'
import { viewTerminal } from '../client/session/terminal-view.ts'
import { openClient } from './open-client.ts'

const apart: TerminalState = { link: 'closed', refused: null }

/** A session's live terminal, drawn on a screen from when both are there until unmount. */
export function useTerminal({ url, token, session, screen }: TerminalOptions): Terminal {
  const [state, setState] = useState(apart)
  const line = useRef<TerminalLine | null>(null)
  useEffect(() => {
    if (session === null || screen === null) return undefined
    let isOver = false
    setState({ link: 'connecting', refused: null })
    const opened = openTerminalLine({
      url,
      token,
      session,
      screen,
      onState: (next) => {
        if (!isOver) setState(next)
      },
    })
    line.current = opened
    return () => {
      isOver = true
      line.current = null
      opened.close()
      setState(apart)
    }
  }, [url, token, session, screen])
  return {
    ...state,
    type: useCallback((data: string) => line.current?.type(data) ?? false, []),
    resize: useCallback((room: TerminalRoom) => line.current?.resize(room), []),
    drive: useCallback((driver: 'person' | 'model') => line.current?.drive(driver), []),
    interrupt: useCallback(() => line.current?.interrupt(), []),
  }
}

interface TerminalLine extends TerminalActions {
  close(): void
}

interface LineOptions {
  url: string
  token: string
  session: string
  screen: TerminalScreen
  onState: (state: TerminalState) => void
}

/** One terminal over a connection of its own, until it is closed. */
function openTerminalLine({ session, screen, ...options }: LineOptions): TerminalLine {
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

/** The screen that the terminal is drawn on: a `Terminal` of xterm.js as it is, or anything with these. */
export interface TerminalScreen {
  readonly rows: number
  readonly cols: number
  reset(): void
  resize(cols: number, rows: number): void
  /** Calls back when it is drawn; the server sends no more than a screen can take. */
  write(data: string | Uint8Array, drawn: () => void): void
}

export interface TerminalOptions {
  /** As for a chat. */
  url: string
  token: string
  /** The session of the terminal; nothing is connected while it is null. */
  session: string | null
  /** Nothing is connected while it is null. */
  screen: TerminalScreen | null
}

/** The room there is to draw in. Only a screen that is looked at has a say in the terminal's size. */
export interface TerminalRoom {
  rows: number
  cols: number
  visible?: boolean
}

interface TerminalState {
  /** Keys are heard while it is `live`. `outdated`: the server is of another version than the page. */
  link: 'connecting' | 'live' | 'reconnecting' | 'unauthorized' | 'outdated' | 'closed'
  /** Why the last key was not taken; null when it was. */
  refused: string | null
}

interface TerminalActions {
  /** Keys for the program in the terminal. False: not sent, and not kept for later. */
  type(data: string): boolean
  resize(room: TerminalRoom): void
  /** Takes the keyboard from the model, or hands it back. */
  drive(driver: 'person' | 'model'): void
  /** Ctrl+C for the command that runs. */
  interrupt(): void
}

export interface Terminal extends TerminalState, TerminalActions {}
