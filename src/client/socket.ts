import { limits } from '../protocol/limits.ts'
import { routes } from '../protocol/routes.ts'
import type { Call } from './call.ts'
import { refusalOf } from './client-error.ts'
import type { FrameSource } from './feed.ts'
import { createChannels } from './socket-channels.ts'
import { eventsChannel } from './socket-events.ts'
import { runLine, type WebSocketLike } from './socket-line.ts'
import { terminalChannel, type TerminalChannel, type TerminalOptions } from './socket-terminal.ts'
import { backoff, waitFor, type Wait } from './wait.ts'

/** `reconnecting`: it was live, and will be again. `unauthorized`: get a token, then `retry`. */
export type SocketState = 'connecting' | 'live' | 'reconnecting' | 'unauthorized' | 'closed'

export interface SocketOptions {
  /** Of the server, as for `connect`. */
  url: string
  /** Asked for each connection: the server takes every ticket once. */
  ticket: (signal: AbortSignal) => Promise<string>
  /** Default: the global `WebSocket`. */
  open?: (url: string) => WebSocketLike
  /** From 0 to 1: tabs that lost the same server come back one after the other. */
  random?: () => number
  wait?: Wait
  heartbeatMs?: number
}

/** The one connection of a tab: every session it follows and every terminal it shows. */
export interface Socket extends FrameSource {
  /** At most one view a session; it starts the session's shell if there is none. */
  terminal(options: TerminalOptions): TerminalChannel
  getState(): SocketState
  subscribe(listener: () => void): () => void
  /** Tries now instead of later. */
  retry(): void
  close(): void
}

/** A ticket from the server that a client talks to. */
export function ticketFrom({ call }: { call: Call }): SocketOptions['ticket'] {
  return async (signal) => (await call(routes.ticket, { signal })).ticket
}

/** The longest a timer can be: nothing but a new token helps. */
const untilWoken = 2 ** 31 - 1

/** It never gives up: a tab may sleep for a night and be looked at again. */
export function createSocket(options: SocketOptions): Socket {
  const { wait = waitFor, random = Math.random, open = (url) => new WebSocket(url) } = options
  const url = new URL('/v1/socket', options.url.replace(/^http/, 'ws')).href
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  const channels = createChannels()
  let failures = 0
  let wasLive = false
  let state: SocketState = 'connecting'
  let wake = () => {}

  function setState(next: SocketState): void {
    if (state === next) return
    state = next
    for (const listener of listeners) listener()
  }

  async function connectOnce(): Promise<'again' | 'unauthorized'> {
    try {
      await runLine({
        url,
        ticket: options.ticket,
        open,
        signal: closing.signal,
        heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs,
        onReady(line) {
          failures = 0
          wasLive = true
          setState('live')
          channels.up(line)
        },
        onFrame: channels.frame,
        onBytes: channels.bytes,
      })
    } catch (error) {
      if (refusalOf(error)?.code === 'unauthorized') return 'unauthorized'
    }
    return 'again'
  }

  /** Until the time is over, somebody wants it now, or the socket is closed. */
  async function pause(ms: number): Promise<void> {
    const waking = new AbortController()
    wake = () => waking.abort()
    await wait(ms, AbortSignal.any([waking.signal, closing.signal]))
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const next = await connectOnce()
      channels.down()
      if (closing.signal.aborted) break
      setState(next === 'again' ? (wasLive ? 'reconnecting' : 'connecting') : 'unauthorized')
      const delay = backoff(failures) * (0.5 + random() / 2)
      failures += 1
      await pause(next === 'again' ? delay : untilWoken)
    }
    setState('closed')
  }

  // Nothing in it rejects: whatever ends a connection leads to the next.
  void run()

  return {
    follow: (follow) =>
      new Promise((resolve, reject) => {
        if (follow.signal.aborted) return resolve()
        follow.onState?.('connecting')
        channels.add((host) => {
          const stop = () => {
            host.remove()
            resolve()
          }
          follow.signal.addEventListener('abort', stop)
          return eventsChannel(follow, host, (error) => {
            follow.signal.removeEventListener('abort', stop)
            if (error === null) resolve()
            else reject(error)
          })
        })
      }),
    terminal: (view) => channels.add((host) => terminalChannel(view, host)).terminal,
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    retry: () => wake(),
    close: () => closing.abort(),
  }
}
