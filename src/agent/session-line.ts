import type { Client } from '../client/wire/connect.ts'
import type { Delta } from '../protocol/stream/delta.ts'
import type { Event } from '../protocol/events/event.ts'
import type { Head, SessionId } from '../protocol/events/seq.ts'
import { AgentError } from './agent-error.ts'
import { advance, beginProgress, isOver, type Progress } from '../client/session/turn-progress.ts'
import { noUsage } from '../log/state.ts'
import type { Accepted } from '../protocol/http/session-view.ts'

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

/** Collects the outcome of one input; its events may arrive before the answer that names them. */
export function createOutcome() {
  const early: Event[] = []
  let progress: Progress | null = null
  let answer = ''

  function follow(so: Progress, event: Event): Progress {
    // The record of a command that ran is the answer.
    if (event.type === 'tool_response' && so.calls.has(event.request)) answer = event.content
    return advance(so, event)
  }

  return {
    take(event: Event): void {
      if (progress === null) early.push(event)
      else if (!isOver(progress)) progress = follow(progress, event)
    },
    /** The input was accepted; `seen` is the last event that had been heard before it was sent. */
    begin({ first, head }: Accepted, seen: Head): void {
      const start = beginProgress({ first: first ?? head + 1, head })
      progress = early.reduce(follow, { ...start, head: seen })
    },
    isOver: () => progress !== null && isOver(progress),
    /** An `AgentResult`, whose declaration the build wants where it is exported. */
    result: () => resultOf(progress ?? beginProgress({ first: 1, head: 0 }), answer),
  }
}

function resultOf({ text, end, runs, fault }: Progress, answer: string) {
  return {
    text: text === '' && end === null ? answer : text,
    reason: end?.reason ?? 'done',
    steps: end?.steps ?? 0,
    usage: end?.usage ?? noUsage,
    runs: runs.map(({ command, exitCode }) => ({ command, exitCode })),
    error: fault && { code: fault.code, message: fault.message },
  }
}
