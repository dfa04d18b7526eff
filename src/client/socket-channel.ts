import { assertNever } from '../protocol/assert-never.ts'
import type { SocketFrame, SocketRequest } from '../protocol/frame.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { TerminalBytes } from '../protocol/terminal.ts'

export type ChannelKind = 'events' | 'terminal'

/** One thing that is followed over the tab's socket, on as many connections as it takes. */
export interface Channel {
  kind: ChannelKind
  session: SessionId
  /** A connection is there that knows nothing of it yet. */
  up(say: (request: SocketRequest) => void): void
  /** There is none any more; another will come. */
  down(): void
  frame(frame: SocketFrame): void
  bytes(bytes: TerminalBytes): void
  /** What takes it back. */
  goodbye: SocketRequest
}

/** What a channel asks of the socket that it is on. */
export interface ChannelHost {
  /** Takes it back and, when nothing of it is on the way any more, brings it up anew. */
  renew(): void
  /** Takes it back for good. */
  remove(): void
}

/** The channel that a frame is for; null when it is for the socket itself. */
export function addresseeOf(frame: SocketFrame): { kind: ChannelKind; session: SessionId } | null {
  switch (frame.type) {
    case 'ready':
    case 'pong':
      return null
    case 'frame':
      return { kind: 'events', session: frame.session }
    case 'viewing':
    case 'screen':
      return { kind: 'terminal', session: frame.session }
    case 'refused':
      return frame.session === undefined
        ? null
        : {
            kind: frame.to === 'subscribe' || frame.to === 'unsubscribe' ? 'events' : 'terminal',
            session: frame.session,
          }
    default:
      return assertNever(frame)
  }
}
