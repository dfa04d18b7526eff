import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'

/** Where text, and on a socket bytes, go out to one client. */
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
