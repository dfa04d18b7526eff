import type { Event } from '../../protocol/events/event.ts'
import type { IntentKey, SessionId, Head } from '../../protocol/events/seq.ts'
import { evolve } from '../../log/evolve.ts'
import { foldVersion, type SessionState } from '../../log/state.ts'
import type { Live } from './live.ts'
import type { MeasuredRequests } from './measured-requests.ts'
import type { Delta } from '../../protocol/stream/delta.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { FrameSink } from './host.ts'
import { StoreError } from '../store/store-error.ts'
import type { Beginning, EventStore, Snapshot } from '../store/store.ts'

export interface CommitDeps {
  id: SessionId
  store: EventStore
  requests: MeasuredRequests
  live: Live
  publisher: Publisher
}

export interface Batch {
  before: SessionState
  events: readonly Event[]
  key?: IntentKey | undefined
  /** With a key: a hash of what was asked. */
  body?: string | undefined
  begins?: Beginning | undefined
}

/** So that opening a long session folds at most this many events. */
const snapshotEvery = 500

/** Measures requests, stores the events in one append, and only then tells anyone. */
export function createCommit(deps: CommitDeps): (batch: Batch) => Promise<void> {
  /** A session of commands only never needs a conversation. */
  let hasConversation = false
  return async ({ before, events, key, body, begins }) => {
    hasConversation ||= events.some((event) => event.type === 'step_start')
    let measured = events
    try {
      if (hasConversation) measured = await deps.requests.follow(events)
      const appended = await deps.store.append(deps.id, before.head, {
        events: measured,
        key,
        body,
        snapshot: snapshotAfter(before, measured),
        clearDraft: measured.some((event) => event.type === 'step_end'),
        live: isLive(measured.reduce(evolve, before)),
        begins,
      })
      if (appended.outcome !== 'stored')
        throw new Error(`session ${deps.id} has another writer: append was ${appended.outcome}`)
    } catch (error) {
      // The measured request did not happen.
      deps.requests.forget()
      hasConversation = false
      throw error
    }
    for (const event of measured) deps.live.close(event)
    deps.publisher.events(measured)
  }
}

/** Something began that an event has yet to close. */
export function hasOpen({ turn, step, calls, runs }: SessionState): boolean {
  return turn !== null || step !== null || calls.length > 0 || runs.length > 0
}

/** It has a shell, or something is under way. */
export function isLive(state: SessionState): boolean {
  return state.shell.phase === 'live' || state.summary !== null || hasOpen(state)
}

function snapshotAfter(before: SessionState, events: readonly Event[]): Snapshot | undefined {
  const seq = before.head + events.length
  if (Math.floor(seq / snapshotEvery) === Math.floor(before.head / snapshotEvery)) return undefined
  const state = events.reduce(evolve, before)
  return { seq, foldVersion, state: JSON.stringify(state) }
}

/** Fan-out of a session's events and deltas. */
export interface Publisher {
  events(events: readonly Event[]): void
  delta(delta: Delta): void
  /** Replays the log after a place, then what is open now, then goes live. */
  subscribe(after: Head, sink: FrameSink, catchUp: CatchUp): () => void
  close(reason: 'deleted' | 'shutdown'): void
  count(): number
}

/** Everything that is open and in no event yet, for those who join. */
type CatchUp = () => readonly Delta[]

interface PublisherDeps {
  /** A page of stored events after a place; empty at the end. */
  read(after: Head): Promise<readonly Event[]>
  diagnose(message: string, error: unknown): void
}

interface Subscriber {
  sink: FrameSink
  /** The last event it was given. */
  cursor: Head
  /** False while it is still being replayed to: what is told meanwhile is read from the log. */
  isLive: boolean
}

export function createPublisher({ read, diagnose }: PublisherDeps): Publisher {
  const subscribers = new Set<Subscriber>()
  let newest: Head = 0

  function send(subscriber: Subscriber, frame: Frame): void {
    if (subscribers.has(subscriber) && subscriber.sink(frame) === false)
      subscribers.delete(subscriber)
  }

  function sendEvent(subscriber: Subscriber, event: Event): void {
    if (event.seq <= subscriber.cursor) return
    subscriber.cursor = event.seq
    send(subscriber, { type: 'event', event })
  }

  /** Goes by pages, at the subscriber's own pace: a long log is never held in memory for a slow one. */
  async function replay(subscriber: Subscriber, catchUp: CatchUp): Promise<void> {
    while (subscribers.has(subscriber)) {
      const page = await read(subscriber.cursor)
      // An event is stored before it is told: one that came while nothing was read is known of here.
      if (page.length === 0 && subscriber.cursor >= newest) break
      for (const event of page) {
        if (!subscribers.has(subscriber)) return
        subscriber.cursor = event.seq
        const isTaken = await subscriber.sink({ type: 'event', event })
        if (!isTaken) subscribers.delete(subscriber)
      }
    }
    subscriber.isLive = true
    for (const delta of catchUp()) send(subscriber, { type: 'delta', delta })
    send(subscriber, { type: 'live', head: subscriber.cursor })
  }

  return {
    events(events) {
      newest = events.at(-1)?.seq ?? newest
      for (const subscriber of subscribers)
        if (subscriber.isLive) for (const event of events) sendEvent(subscriber, event)
    },
    delta(delta) {
      // Those still being replayed to get everything open at once when they go live.
      for (const subscriber of subscribers)
        if (subscriber.isLive) send(subscriber, { type: 'delta', delta })
    },
    subscribe(after, sink, catchUp) {
      const subscriber: Subscriber = { sink, cursor: after, isLive: false }
      subscribers.add(subscriber)
      replay(subscriber, catchUp).catch((error: unknown) => {
        diagnose('a log could not be replayed', error)
        send(subscriber, { type: 'closed', reason: whyClosed(error) })
        subscribers.delete(subscriber)
      })
      return () => subscribers.delete(subscriber)
    },
    close(reason) {
      for (const subscriber of subscribers) send(subscriber, { type: 'closed', reason })
      subscribers.clear()
    },
    count: () => subscribers.size,
  }
}

/** A database that is locked is free again soon; what cannot be read now will not be read by asking again. */
function whyClosed(error: unknown): 'slow' | 'failed' {
  return error instanceof StoreError && error.code === 'store_busy' ? 'slow' : 'failed'
}
