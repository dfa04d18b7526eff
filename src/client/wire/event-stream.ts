import { Frame } from '../../protocol/stream/frame.ts'
import { limits } from '../../protocol/limits.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import { ClientError, unreadable } from './client-error.ts'
import { request, type Connection } from './request.ts'
import { backoff, type Wait } from './wait.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { Delta } from '../../protocol/stream/delta.ts'
import { Event } from '../../protocol/events/event.ts'

export interface StreamOptions {
  session: SessionId
  /** Only events after this one are sent. */
  after: Head
  signal: AbortSignal
  /** Frames in order, as many as arrived at once. Events come without a gap or a repeat. */
  onFrames: (frames: readonly Frame[]) => void
  onState?: (state: 'connecting' | 'replaying') => void
  /** How often in a row to try without getting a frame; a UI never gives up. */
  attempts?: number
}

/** A line without a byte for three heartbeats is dead, whatever the socket says. */
const silenceMs = 3 * limits.heartbeatMs

/**
 * Follows a session until the signal aborts or the session is deleted; then it resolves. A line that
 * breaks is taken up again after the last event. Rejects when the server refuses, or cannot be found.
 */
export async function followEvents(
  connection: Connection,
  options: StreamOptions,
  wait: Wait,
): Promise<void> {
  const { signal, attempts = Infinity } = options
  const order = createFrameOrder(options.after)
  let failures = 0

  const accept = (frames: readonly Frame[]): Next => {
    const { fresh, next } = order.take(frames)
    // A line that only says goodbye has brought nothing: the next try waits longer.
    if (fresh.some(({ type }) => type !== 'closed')) failures = 0
    if (fresh.length > 0) options.onFrames(fresh)
    return next
  }

  while (!signal.aborted) {
    options.onState?.('connecting')
    try {
      const next = await readOnce(connection, { ...options, after: order.last() }, accept)
      if (next === 'over') return
      if (next === 'failed') throw unreadable()
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error) || failures + 1 >= attempts) throw error
    }
    if (signal.aborted) return
    await wait(backoff(failures), signal)
    failures += 1
  }
}

/** A no stays a no; only silence and nonsense on the line are worth another try. */
function isFinal(error: unknown): boolean {
  return error instanceof ClientError && error.fault.kind !== 'unreachable'
}

async function readOnce(
  connection: Connection,
  { session, after, signal, onState }: StreamOptions,
  accept: (frames: readonly Frame[]) => Next,
): Promise<Next> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  let silence = setTimeout(hangUp, silenceMs)
  try {
    const response = await request(connection, routes.events, {
      params: { id: session },
      query: { after },
      signal: line.signal,
    })
    onState?.('replaying')
    const read = createFrameReader()
    const text = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    // A fetch may forget its signal once the answer has begun; the reader does not.
    line.signal.addEventListener('abort', () => void text?.cancel().catch(() => undefined))
    for (let piece = await text?.read(); piece && !piece.done; piece = await text?.read()) {
      clearTimeout(silence)
      silence = setTimeout(hangUp, silenceMs)
      const next = accept(read(piece.value))
      if (next !== 'go on') return next
    }
    return 'resume'
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}

/** Server-sent text → frames, as they become complete. */
function createFrameReader(): (text: string) => Frame[] {
  let ready: Frame[] = []
  const parser = createParser({ onEvent: (message) => ready.push(parse(message)) })
  return (text) => {
    parser.feed(text)
    const frames = ready
    ready = []
    return frames
  }
}

/** A whole message that is no frame stays one: asking again would bring it again. */
function parse(message: EventSourceMessage): Frame {
  try {
    return frameOf(message)
  } catch (cause) {
    throw new ClientError(
      'the session sent something this client does not know: is the server of another version?',
      { kind: 'garbled', status: 200 },
      { cause },
    )
  }
}

function frameOf({ event, data }: EventSourceMessage): Frame {
  const value: unknown = JSON.parse(data)
  if (event === 'event') return { type: 'event', event: Event.parse(value) }
  if (event === 'delta') return { type: 'delta', delta: Delta.parse(value) }
  return Frame.parse(value)
}

/**
 * `resume`: only asking again brings what is missing. `over`: there is nothing more to ask for. `failed`: there is,
 * but it cannot be read.
 */
type Next = 'go on' | 'resume' | 'over' | 'failed'

const nextAfter = { deleted: 'over', failed: 'failed', slow: 'resume', shutdown: 'resume' } as const

/** Lets every event through once and in order, whatever a line repeats or leaves out. */
export function createFrameOrder(after: Head) {
  let last = after
  return {
    /** The last event that was let through. */
    last: () => last,
    /** The new ones of these frames, and how to go on after them. */
    take(frames: readonly Frame[]): { fresh: readonly Frame[]; next: Next } {
      const fresh: Frame[] = []
      for (const frame of frames) {
        if (frame.type === 'event') {
          if (frame.event.seq <= last) continue
          if (frame.event.seq > last + 1) return { fresh, next: 'resume' }
          last = frame.event.seq
        }
        fresh.push(frame)
        if (frame.type === 'closed') return { fresh, next: nextAfter[frame.reason] }
      }
      return { fresh, next: 'go on' }
    },
  }
}
