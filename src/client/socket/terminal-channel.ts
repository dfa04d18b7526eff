import type { SocketRequest, ScreenFrame } from '../../protocol/stream/frame.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Channel, ChannelHost } from './channels.ts'

export interface Viewport {
  rows: number
  cols: number
  /** Only a viewer that is looked at has a say in the terminal's size. */
  visible: boolean
}

export interface TerminalOptions {
  session: SessionId
  viewport: Viewport
  /** Goes on at this place of the byte stream, if that is near; else with a snapshot. */
  from?: number
  /** Draw this on an empty terminal of its size; bytes go on at its `offset`. */
  onScreen(screen: ScreenFrame): void
  /** The next bytes, each once and in order; `end` is the place after them. */
  onBytes(bytes: Uint8Array, end: number): void
  /** The terminal has this size from here on. */
  onSize(size: { rows: number; cols: number }): void
  /** Something that was typed, or the view itself, was refused. */
  onRefused(refusal: Refusal & { to: string }): void
  /** Whether keys are heard now. */
  onLive?(isLive: boolean): void
}

/** A live terminal, over as many connections as it takes. */
export interface TerminalChannel {
  /** False when nobody hears it: keys are never kept for later, when they might do harm. */
  type(data: string): boolean
  viewport(viewport: Viewport): void
  /** All before this place is drawn. Without it the server sends no more. */
  drawn(end: number): void
  /** Asks for the view anew and goes on where it stands; that starts a shell if there is none. */
  renew(): void
  close(): void
}

/** Below the server's 16 K, and below its message size even if every character is escaped. */
const inputChars = 8 * 1024

export function terminalChannel(
  options: TerminalOptions,
  host: ChannelHost,
): Channel & { terminal: TerminalChannel } {
  const { session } = options
  let { viewport } = options
  /** The place after the last byte that was given out; null before the first screen. */
  let place = options.from ?? null
  let say: ((request: SocketRequest) => void) | null = null
  /** The server's name for this view; null until it has said so. */
  let handle: number | null = null
  /** Somebody asked for a shell, not only for what is there. */
  let isWanted = false

  function setHandle(next: number | null): void {
    const wasLive = handle !== null
    handle = next
    if (wasLive !== (next !== null)) options.onLive?.(next !== null)
  }

  const terminal: TerminalChannel = {
    type(data) {
      if (handle === null) return false
      for (const part of partsOf(data)) say?.({ type: 'input', session, data: part })
      return true
    },
    viewport(next) {
      viewport = next
      if (handle !== null) say?.({ type: 'viewport', session, ...next })
    },
    drawn(offset) {
      if (handle !== null) say?.({ type: 'ack', session, offset })
    },
    renew() {
      isWanted = true
      host.renew()
    },
    close: host.remove,
  }

  return {
    terminal,
    kind: 'terminal',
    session,
    up(sayIt) {
      say = sayIt
      const from = place === null ? {} : { from: place }
      say({ type: 'view', session, ...from, ...(isWanted && { start: true }), ...viewport })
      isWanted = false
    },
    down() {
      say = null
      setHandle(null)
    },
    frame(frame) {
      if (frame.type === 'viewing') {
        setHandle(frame.handle)
        options.onSize({ rows: frame.rows, cols: frame.cols })
      } else if (frame.type === 'screen') {
        place = frame.offset
        options.onScreen(frame)
      } else if (frame.type === 'refused') {
        const { code, message, to = 'view' } = frame
        options.onRefused({ code, message, to })
      }
    },
    bytes({ handle: of, offset, bytes }) {
      if (of !== handle) return
      if (place === null || offset > place) {
        place = null
        return host.renew()
      }
      const fresh = bytes.subarray(place - offset)
      if (fresh.length === 0) return
      place += fresh.length
      options.onBytes(fresh, place)
    },
    goodbye: { type: 'unview', session },
  }
}

/** Never between the halves of one character. */
function* partsOf(data: string): Generator<string> {
  for (let at = 0; at < data.length;) {
    let end = at + inputChars
    if (end < data.length && isHighHalf(data.charCodeAt(end - 1))) end -= 1
    yield data.slice(at, end)
    at = end
  }
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
