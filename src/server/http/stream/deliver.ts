import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { assertNever } from '../../../base/assert-never.ts'
import type { Frame, SocketFrame } from '../../../protocol/stream/frame.ts'
import type { Head } from '../../../protocol/events/seq.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { HttpBounds } from '../bounds.ts'
import type { SessionHost } from '../../session/host.ts'

export const unexpected: Refusal = {
  code: 'internal',
  message: 'an unexpected error; see the server diagnostics',
}

interface Delivery {
  outlet: Outlet
  after: Head
  bounds: HttpBounds
  /** How this carrier writes a frame. */
  text: (frame: Frame) => string
  /** The host will send no more: the session is gone, or the client was too slow. */
  ended(reason: 'slow' | 'closed'): void
}

/**
 * Follows a session: the log at the client's own pace, then live within a bound. The host is never made to wait
 * for what is live: a client that does not keep up is told so and dropped.
 */
export function deliver(host: SessionHost, delivery: Delivery): () => void {
  const { outlet, bounds, text } = delivery
  let isReplay = true
  let stopped = false
  let unsubscribe = () => {}

  function stop(): void {
    stopped = true
    unsubscribe()
  }

  function end(reason: 'slow' | 'closed'): void {
    stop()
    delivery.ended(reason)
  }

  function take(frame: Frame): boolean | Promise<boolean> {
    if (stopped || !outlet.isOpen()) return false
    if (frame.type === 'live') isReplay = false
    return isReplay && frame.type === 'event' ? takeReplayed(text(frame)) : takeLive(frame)
  }

  /** One frame may be larger than the bound, so the bound is on what was waiting before it. */
  function takeLive(frame: Frame): boolean {
    if (outlet.unsent() > bounds.clientQueueBytes) {
      outlet.push(text({ type: 'closed', reason: 'slow' }))
      end('slow')
      return false
    }
    outlet.push(text(frame))
    if (frame.type === 'closed') end('closed')
    return frame.type !== 'closed'
  }

  async function takeReplayed(line: string): Promise<boolean> {
    if (outlet.unsent() <= bounds.replayBytes) {
      outlet.push(line)
      return true
    }
    const isTaken = await flushed(outlet, line, bounds.stallMs)
    if (!isTaken && !stopped) end('slow')
    return isTaken && !stopped
  }

  const leave = host.subscribe(delivery.after, take)
  // The host may already have been refused a frame.
  if (stopped) leave()
  else unsubscribe = leave
  return stop
}

/** True when the client has taken it, false when it is gone or takes nothing. */
function flushed(outlet: Outlet, line: string, stallMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (taken: boolean) => {
      clearTimeout(stall)
      forget()
      resolve(taken)
    }
    const stall = setTimeout(settle, stallMs, false)
    const forget = outlet.onClose(() => settle(false))
    outlet.push(line, () => settle(outlet.isOpen()))
  })
}

/** The way out to one client, for text and, on a socket, bytes. */
export interface Outlet {
  isOpen(): boolean
  /** Bytes that wait in this process because the client has not read on. */
  unsent(): number
  /** Nothing happens once it is closed. */
  push(data: string | Uint8Array, flushed?: () => void): void
  onClose(listener: () => void): () => void
  /** Lets what was pushed go out, for so long, and then cuts the connection. */
  finish(graceMs: number): void
}

export function responseOutlet(outgoing: ServerResponse): Outlet {
  const isOpen = () => !outgoing.destroyed && !outgoing.writableEnded
  return {
    isOpen,
    unsent: () => outgoing.writableLength,
    push(data, flushed) {
      if (isOpen()) outgoing.write(data, () => flushed?.())
    },
    onClose(listener) {
      outgoing.on('close', listener)
      return () => void outgoing.off('close', listener)
    },
    finish(graceMs) {
      const cut = setTimeout(() => outgoing.destroy(), graceMs)
      outgoing.once('close', () => clearTimeout(cut))
      outgoing.end()
    },
  }
}

export function socketOutlet(socket: WebSocket): Outlet {
  const isOpen = () => socket.readyState === socket.OPEN
  return {
    isOpen,
    unsent: () => socket.bufferedAmount,
    push(data, flushed) {
      if (isOpen()) socket.send(data, () => flushed?.())
    },
    onClose(listener) {
      socket.on('close', listener)
      return () => void socket.off('close', listener)
    },
    finish(graceMs) {
      const cut = setTimeout(() => socket.terminate(), graceMs)
      socket.once('close', () => clearTimeout(cut))
      // "Try again later": the client resumes after the last event it has.
      socket.close(1013)
    },
  }
}

/** Writes a frame to a socket. */
export function say(outlet: Outlet, frame: SocketFrame): void {
  outlet.push(JSON.stringify(frame))
}

/** A frame as a server-sent event. JSON has no raw line break, so `data` is always one line. */
export function sseText(frame: Frame): string {
  switch (frame.type) {
    case 'event':
      return `id: ${frame.event.seq}\nevent: event\ndata: ${JSON.stringify(frame.event)}\n\n`
    case 'delta':
      return `event: delta\ndata: ${JSON.stringify(frame.delta)}\n\n`
    case 'live':
    case 'closed':
      return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
    default:
      return assertNever(frame)
  }
}

export const sseHeartbeat = ': still here\n\n'

export type OpenStreams = ReturnType<typeof createOpenStreams>

/** The connections that stay open, so that a shutdown or a new token can end them all. */
export function createOpenStreams() {
  const open = new Set<() => void>()
  return {
    /** Says how to end it; the returned function says that it has ended. */
    add(end: () => void): () => void {
      // Its own object, so that one function given twice counts twice.
      const entry = () => end()
      open.add(entry)
      return () => void open.delete(entry)
    },
    endAll(): void {
      for (const end of open) end()
    },
  }
}
