import { protocolVersion } from '../../protocol/http/routes.ts'
import { SocketFrame, type SocketRequest } from '../../protocol/stream/frame.ts'

/** The part that browsers, Node 22 and the `ws` package have in common. */
export interface WebSocketLike {
  binaryType: string
  send(data: string): void
  close(): void
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listen: (event: object) => void,
  ): void
}

export interface LineOptions {
  url: string
  /** A new one for each connection: the server takes each once. */
  ticket: (signal: AbortSignal) => Promise<string>
  open: (url: string) => WebSocketLike
  signal: AbortSignal
  heartbeatMs: number
  /** The ticket was good; from now on requests are heard. */
  onReady(line: Line): void
  onFrame(frame: SocketFrame): void
  onBytes(message: Uint8Array): void
}

/** One connection that is up. */
export interface Line {
  say(request: SocketRequest): void
  /** All that the server had said until now has come once so many pongs have. */
  fence(): number
  hangUp(): void
}

/** A timer of a hidden tab may sleep for long, so silence is counted in pings and not in time. */
const missedPings = 2

/** `outdated`: the server says what this client does not know, and would say it again. */
export type LineEnd = 'ended' | 'outdated'

/** One connection, from its ticket to its end. Rejects when no ticket is to be had. */
export async function runLine(options: LineOptions): Promise<LineEnd> {
  const ticket = await options.ticket(options.signal)
  if (options.signal.aborted) return 'ended'
  return new Promise((resolve) => attend(options, ticket, resolve))
}

function attend(options: LineOptions, ticket: string, ended: (how: LineEnd) => void): void {
  const { signal } = options
  const socket = options.open(options.url)
  socket.binaryType = 'arraybuffer'
  let isUp = true
  let isReady = false
  let pings = 0
  let silent = 0

  const say = (request: SocketRequest) => {
    if (isUp) socket.send(JSON.stringify(request))
  }
  const fence = () => {
    say({ type: 'ping' })
    return (pings += 1)
  }
  /** A socket may take long to notice that nobody is there; nothing waits for it. */
  const end = (how: LineEnd) => {
    if (!isUp) return
    isUp = false
    clearInterval(heart)
    signal.removeEventListener('abort', hangUp)
    socket.close()
    ended(how)
  }
  const hangUp = () => end('ended')
  const line: Line = { say, fence, hangUp }

  function heard(data: unknown): void {
    silent = 0
    if (data instanceof ArrayBuffer) return options.onBytes(new Uint8Array(data))
    const frame = typeof data === 'string' ? frameOf(data) : null
    if (frame === null) return end('outdated')
    if (frame.type !== 'ready') return options.onFrame(frame)
    if (frame.protocol !== protocolVersion) return end('outdated')
    isReady = true
    options.onReady(line)
  }

  const heart = setInterval(() => {
    silent += 1
    if (silent > missedPings) hangUp()
    else if (isReady) fence()
  }, options.heartbeatMs)
  signal.addEventListener('abort', hangUp)
  socket.addEventListener('open', () => say({ type: 'ticket', ticket }))
  socket.addEventListener('message', (event) => {
    if (isUp) heard('data' in event ? event.data : undefined)
  })
  // An error is always followed by the close.
  socket.addEventListener('error', () => {})
  socket.addEventListener('close', hangUp)
}

/** Null for what this client does not know: a server of another version, perhaps after an upgrade. */
function frameOf(text: string): SocketFrame | null {
  try {
    return SocketFrame.parse(JSON.parse(text))
  } catch {
    return null
  }
}
