import type { Delta } from '../protocol/delta.ts'
import type { Event } from '../protocol/event.ts'
import type { Frame } from '../protocol/frame.ts'
import type { Head } from '../protocol/seq.ts'
import type { FrameSink } from './host.ts'
import { StoreError } from './store/store-error.ts'

/** Fan-out of a session's events and deltas. */
export interface Publisher {
  events(events: readonly Event[]): void
  delta(delta: Delta): void
  subscribe(after: Head, sink: FrameSink): () => void
  close(reason: 'deleted' | 'shutdown'): void
  count(): number
}

export interface PublisherDeps {
  /** A page of stored events after a place; empty at the end. */
  read(after: Head): Promise<readonly Event[]>
  /** What is open, for those who join. */
  catchUp(): readonly Delta[]
  diagnose(message: string, error: unknown): void
}

interface Subscriber {
  sink: FrameSink
  /** The last event it was given. */
  cursor: Head
  /** Events that came while it was still being replayed to; null once it is live. */
  held: Event[] | null
}

export function createPublisher({ read, catchUp, diagnose }: PublisherDeps): Publisher {
  const subscribers = new Set<Subscriber>()

  function send(subscriber: Subscriber, frame: Frame): void {
    if (subscribers.has(subscriber) && !subscriber.sink(frame)) subscribers.delete(subscriber)
  }

  function sendEvent(subscriber: Subscriber, event: Event): void {
    if (event.seq <= subscriber.cursor) return
    subscriber.cursor = event.seq
    send(subscriber, { type: 'event', event })
  }

  async function replay(subscriber: Subscriber): Promise<void> {
    while (subscribers.has(subscriber)) {
      const page = await read(subscriber.cursor)
      if (page.length === 0) break
      for (const event of page) sendEvent(subscriber, event)
    }
    for (const event of subscriber.held ?? []) sendEvent(subscriber, event)
    subscriber.held = null
    for (const delta of catchUp()) send(subscriber, { type: 'delta', delta })
    send(subscriber, { type: 'live', head: subscriber.cursor })
  }

  return {
    events(events) {
      for (const subscriber of subscribers)
        if (subscriber.held) subscriber.held.push(...events)
        else for (const event of events) sendEvent(subscriber, event)
    },
    delta(delta) {
      // Those still being replayed to get everything open at once when they go live.
      for (const subscriber of subscribers)
        if (subscriber.held === null) send(subscriber, { type: 'delta', delta })
    },
    subscribe(after, sink) {
      const subscriber: Subscriber = { sink, cursor: after, held: [] }
      subscribers.add(subscriber)
      replay(subscriber).catch((error: unknown) => {
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
export function whyClosed(error: unknown): 'slow' | 'failed' {
  return error instanceof StoreError && error.code === 'store_busy' ? 'slow' : 'failed'
}
