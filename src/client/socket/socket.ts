import type { Refusal } from '../../protocol/http/refusal.ts'
import { ClientError, isLockedOut, outdated, unreadable } from '../wire/client-error.ts'
import { type StreamOptions, createFrameOrder } from '../wire/event-stream.ts'
import { type Channel, type ChannelHost, createChannels, type Channels } from './channels.ts'
import { limits } from '../../protocol/limits.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Calls } from '../wire/call.ts'
import type { FrameSource } from '../session/feed.ts'
import { createStore } from '../store.ts'
import { runLine, type LineEnd, type WebSocketLike } from './line.ts'
import { terminalChannel, type TerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { backoff, waitFor, type Wait } from '../wire/wait.ts'

/** Follows a session over the socket as `followEvents` does over a stream of its own. */
function eventsChannel(
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
    end,
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

/**
 * `reconnecting`: it was live, and will be again. `unauthorized`: get a token, then `retry`. `outdated`: the server
 * is of another version, and only a new client understands it.
 */
export type SocketState =
  | 'connecting'
  | 'live'
  | 'reconnecting'
  | 'unauthorized'
  | 'outdated'
  | 'closed'

export interface SocketOptions {
  /** The server's address, as for `connect`. */
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
  /**
   * Types a line for the program that reads a secret in a session; resolves with why it was not typed, or null. It
   * goes over the connection that is there now or not at all: a secret is never kept for the next one.
   */
  secret(session: SessionId, data: string): Promise<Refusal | null>
  getState(): SocketState
  subscribe(listener: () => void): () => void
  /** Tries now instead of later. */
  retry(): void
  close(): void
}

/** A ticket from the server that a client talks to. */
export function ticketFrom({ call }: Calls): SocketOptions['ticket'] {
  return async (signal) => (await call(routes.ticket, { signal })).ticket
}

/** The longest a timer can be: nothing but a new token or a new page helps. */
const untilWoken = 2 ** 31 - 1

/** It never gives up: a tab may sleep for a night and be looked at again. */
export function createSocket(options: SocketOptions): Socket {
  const { wait = waitFor, random = Math.random, open = (url) => new WebSocket(url) } = options
  const url = new URL('/v1/socket', options.url.replace(/^http/, 'ws')).href
  const closing = new AbortController()
  const state = createStore<SocketState>('connecting')
  const channels = createChannels()
  let failures = 0
  let wasLive = false
  let wake = () => {}

  async function connectOnce(): Promise<LineEnd | 'unauthorized'> {
    try {
      return await runLine({
        url,
        ticket: options.ticket,
        open,
        signal: closing.signal,
        heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs,
        onReady(line) {
          failures = 0
          wasLive = true
          state.set('live')
          channels.up(line)
        },
        onFrame: channels.frame,
        onBytes: channels.bytes,
      })
    } catch (error) {
      if (isLockedOut(error)) return 'unauthorized'
    }
    return 'ended'
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
      state.set(next === 'ended' ? (wasLive ? 'reconnecting' : 'connecting') : next)
      if (next === 'outdated') channels.end(outdated())
      const delay = backoff(failures) * (0.5 + random() / 2)
      failures += 1
      await pause(next === 'ended' ? delay : untilWoken)
    }
    state.set('closed')
  }

  // Nothing in it rejects: whatever ends a connection leads to the next.
  void run()

  return {
    follow: (options) =>
      state.get() === 'outdated' ? Promise.reject(outdated()) : follow(channels, options),
    terminal: (view) => channels.add((host) => terminalChannel(view, host)).terminal,
    async secret(session, data) {
      if (state.get() !== 'live') return unheard
      return typeSecret(channels, { session, data })
    },
    getState: state.get,
    subscribe: state.subscribe,
    retry: () => wake(),
    close: () => closing.abort(),
  }
}

const unheard: Refusal = {
  code: 'busy',
  message: 'Not connected: it was not typed. Try again when the connection is back.',
}

function typeSecret(
  channels: Channels,
  { session, data }: { session: SessionId; data: string },
): Promise<Refusal | null> {
  return new Promise((resolve) => {
    channels.add((host) => {
      const end = (answer: Refusal | null) => {
        host.remove()
        resolve(answer)
      }
      return {
        kind: 'secret',
        session,
        up: (say) => say({ type: 'secret', session, data }),
        down: () => end(unheard),
        frame: (frame) => end(frame.type === 'refused' ? frame : null),
        bytes() {},
        goodbye: null,
      }
    })
  })
}

/** Resolves when the channel is over, or nobody wants it any more. */
function follow(channels: Channels, options: StreamOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return resolve()
    options.onState?.('connecting')
    channels.add((host) => {
      const stop = () => {
        host.remove()
        resolve()
      }
      options.signal.addEventListener('abort', stop)
      return eventsChannel(options, host, (error) => {
        options.signal.removeEventListener('abort', stop)
        if (error === null) resolve()
        else reject(error)
      })
    })
  })
}
