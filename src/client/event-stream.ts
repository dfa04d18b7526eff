import type { Frame } from '../protocol/frame.ts'
import { limits } from '../protocol/limits.ts'
import { routes } from '../protocol/routes.ts'
import type { Head, SessionId } from '../protocol/seq.ts'
import { ClientError } from './client-error.ts'
import { request, type Connection } from './request.ts'
import { createFrameReader } from './sse-frames.ts'
import { backoff, type Wait } from './wait.ts'

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
  let last = options.after
  let failures = 0

  /** What is new of it; a gap ends the line, since only a resume can close it. */
  const accept = (frames: readonly Frame[]): 'go on' | 'resume' | 'over' => {
    const fresh: Frame[] = []
    let next: 'go on' | 'resume' | 'over' = 'go on'
    for (const frame of frames) {
      if (frame.type === 'event') {
        if (frame.event.seq <= last) continue
        if (frame.event.seq > last + 1) {
          next = 'resume'
          break
        }
        last = frame.event.seq
      }
      if (frame.type === 'closed') next = frame.reason === 'deleted' ? 'over' : 'resume'
      fresh.push(frame)
    }
    if (fresh.length > 0) {
      failures = 0
      options.onFrames(fresh)
    }
    return next
  }

  while (!signal.aborted) {
    options.onState?.('connecting')
    try {
      if ((await readOnce(connection, { ...options, after: last }, accept)) === 'over') return
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
  accept: (frames: readonly Frame[]) => 'go on' | 'resume' | 'over',
): Promise<'resume' | 'over'> {
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
