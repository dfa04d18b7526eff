import type { Client } from '../client/wire/connect.ts'
import type { Delta } from '../protocol/stream/delta.ts'
import type { Event } from '../protocol/events/event.ts'
import type { Head, SessionId } from '../protocol/events/seq.ts'
import { AgentError } from './agent-error.ts'

type Heard = { type: 'event'; event: Event } | { type: 'delta'; delta: Delta }
type Listener = (heard: Heard) => void

/** One session, followed from a place on. */
export type SessionLine = ReturnType<typeof openLine>

/** A server that is being replaced is back by then. */
const attempts = 7

export function openLine(client: Client, { session, after }: { session: SessionId; after: Head }) {
  const closing = new AbortController()
  const listeners = new Set<Listener>()
  const waiting = new Set<() => void>()
  let seen = after
  let ended: AgentError | null = null

  const lookAgain = () => {
    for (const look of waiting) look()
  }
  const over = (error: AgentError) => {
    ended = error
    lookAgain()
  }
  const following = client
    .follow({
      session,
      after,
      signal: closing.signal,
      attempts,
      onFrames(frames) {
        for (const frame of frames) {
          if (frame.type !== 'event' && frame.type !== 'delta') continue
          if (frame.type === 'event') seen = frame.event.seq
          for (const listener of listeners) tell(listener, frame)
          if (frame.type === 'event') lookAgain()
        }
      },
    })
    .then(
      () => over(new AgentError('closed', 'the agent is closed, or its session was deleted')),
      (cause: unknown) => over(new AgentError('lost', 'the server went away', { cause })),
    )

  return {
    /** The last event that was heard. */
    seen: () => seen,
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Resolves when `isSo`, which is asked now and after each event; rejects when the line has ended. */
    until: (isSo: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!isSo() && ended === null) return
          waiting.delete(look)
          if (isSo()) resolve()
          else reject(ended ?? new AgentError('closed', 'the agent is closed'))
        }
        waiting.add(look)
        look()
      }),
    async close(): Promise<void> {
      closing.abort()
      await following
    },
  }
}

/** A listener that throws is its owner's bug; the others still hear. */
function tell(listener: Listener, heard: Heard): void {
  try {
    listener(heard)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
