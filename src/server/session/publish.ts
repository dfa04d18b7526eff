import type { Delta } from '../../protocol/stream/delta.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { Head } from '../../protocol/events/seq.ts'
import type { FrameSink } from './host.ts'
import { StoreError } from '../store/store-error.ts'

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

export interface PublisherDeps {
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
