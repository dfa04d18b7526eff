import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { Frame } from '../protocol/frame.ts'
import type { Head, SessionId } from '../protocol/seq.ts'
import { applyDelta } from '../view/apply-delta.ts'
import { applyEvent } from '../view/entries.ts'
import { emptyView, type View } from '../view/view.ts'
import type { Client } from './connect.ts'

export type Link =
  | { phase: 'connecting' | 'replaying' | 'live' }
  /** `error` is null when the session is gone or the feed was closed. */
  | { phase: 'closed'; error: unknown }

export interface Snapshot {
  view: View
  link: Link
}

/** A client's live copy of a session. `subscribe` and `getSnapshot` are what React asks for. */
export interface Feed {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
  close(): void
}

export interface FeedOptions {
  session: SessionId
  /** Start here instead of at the first event; what is older is not shown. */
  after?: Head
  attempts?: number
  /** Every durable event, in order, before listeners hear of it. */
  onEvent?: (event: Event) => void
}

export function createFeed(client: Client, options: FeedOptions): Feed {
  const { session, after = 0, attempts, onEvent } = options
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let snapshot: Snapshot = { view: emptyView, link: { phase: 'connecting' } }

  const show = (next: Snapshot) => {
    snapshot = next
    for (const listener of listeners) listener()
  }
  const onFrames = (frames: readonly Frame[]) => {
    for (const frame of frames) if (frame.type === 'event') onEvent?.(frame.event)
    show(frames.reduce(applyFrame, snapshot))
  }

  client
    .follow({
      session,
      after,
      signal: closing.signal,
      onFrames,
      onState: (phase) => show({ ...snapshot, link: { phase } }),
      ...(attempts !== undefined && { attempts }),
    })
    .then(
      () => show({ ...snapshot, link: { phase: 'closed', error: null } }),
      (error: unknown) => show({ ...snapshot, link: { phase: 'closed', error } }),
    )

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => closing.abort(),
  }
}

function applyFrame(snapshot: Snapshot, frame: Frame): Snapshot {
  switch (frame.type) {
    case 'event':
      return { ...snapshot, view: applyEvent(snapshot.view, frame.event) }
    case 'delta':
      return { ...snapshot, view: applyDelta(snapshot.view, frame.delta) }
    case 'live':
      return { ...snapshot, link: { phase: 'live' } }
    case 'closed':
      return { ...snapshot, link: { phase: 'connecting' } }
    default:
      return assertNever(frame)
  }
}
