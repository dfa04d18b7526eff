import { assertNever } from '../../base/assert-never.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import { applyDelta } from '../../view/fold/deltas.ts'
import { openStretch } from '../../view/fold/opened.ts'
import {
  emptyStretch,
  extendStretch,
  prependStretch,
  type Stretch,
} from '../../view/fold/stretch.ts'
import type { View } from '../../view/fold/view.ts'
import { createStore } from '../store.ts'
import type { StreamOptions } from '../wire/event-stream.ts'
import type { History } from './records.ts'
import { waitFor, whileUnreachable } from '../wire/wait.ts'

export type Link =
  /** `reconnecting`: it was live, and will be again. */
  | { phase: 'connecting' | 'replaying' | 'live' | 'reconnecting' }
  /** `error` is null when the session is gone or the feed was closed. */
  | { phase: 'closed'; error: unknown }

/** Whether there is more before what is shown. */
export type Older = 'none' | 'more' | 'loading' | 'failed'

export interface Snapshot {
  view: View
  link: Link
  older: Older
}

/** A client's live copy of a session. `subscribe` and `getSnapshot` are what React asks for. */
export interface Feed {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
  /** Brings the page before what is shown; does nothing while one comes, or when there is none. */
  loadOlder(): Promise<void>
  close(): void
}

/** The source of frames: the event stream of a `Client`, or a `Socket`. */
export interface FrameSource {
  follow(options: StreamOptions): Promise<void>
}

export interface FeedOptions {
  session: SessionId
  /** Start here instead of at the first event; what is older is not shown. */
  after?: Head
  /** Start with the last events instead, and have older ones loaded when they are wanted. */
  history?: History
  attempts?: number
  /** Every durable event that comes live or is replayed, in order, before listeners hear of it. */
  onEvent?: (event: Event) => void
}

export function createFeed(source: FrameSource, options: FeedOptions): Feed {
  const { session, after = 0, history, attempts, onEvent } = options
  const closing = new AbortController()
  const { signal } = closing
  let stretch = emptyStretch(after + 1)
  let wasLive = false
  const snapshot = createStore<Snapshot>(unopened(stretch, history))

  const show = (change: Partial<Snapshot>) =>
    snapshot.set({ ...snapshot.get(), view: stretch.view, ...change })
  const older = (): Older => (history && stretch.first > 1 ? 'more' : 'none')
  const down = (): Link => ({ phase: wasLive ? 'reconnecting' : 'connecting' })

  /** A fault of ours, after which the copy would not be true any more. */
  let fault: unknown = null
  const onFrames = (frames: readonly Frame[]) => {
    try {
      if (!signal.aborted) takeIn(frames)
    } catch (error) {
      fault = error
      closing.abort()
    }
  }
  const takeIn = (frames: readonly Frame[]) => {
    let { link } = snapshot.get()
    for (const frame of frames) {
      if (frame.type === 'event') onEvent?.(frame.event)
      if (frame.type === 'live') wasLive = true
      stretch = applyFrame(stretch, frame)
      if (frame.type === 'live') link = { phase: 'live' }
      if (frame.type === 'closed') link = down()
    }
    show({ link })
  }

  async function open(): Promise<Head> {
    if (history === undefined) return after
    const patience = { wait: waitFor, signal, retries: Infinity }
    const opening = await whileUnreachable(() => history.open(signal), patience)
    const { session: found, events } = opening
    stretch = openStretch(found, events)
    show({ older: older() })
    return found.seq
  }

  async function run(): Promise<void> {
    const from = await open()
    await source.follow({
      session,
      after: from,
      signal,
      onFrames,
      onState: (phase) => show({ link: phase === 'connecting' ? down() : { phase } }),
      ...(attempts !== undefined && { attempts }),
    })
  }

  run().then(
    () => show({ link: { phase: 'closed', error: fault } }),
    (error: unknown) => show({ link: { phase: 'closed', error: signal.aborted ? fault : error } }),
  )

  return {
    getSnapshot: snapshot.get,
    subscribe: snapshot.subscribe,
    async loadOlder() {
      const { older: left } = snapshot.get()
      if (history === undefined || left === 'none' || left === 'loading') return
      show({ older: 'loading' })
      try {
        const events = await history.before(stretch.first, signal)
        stretch = prependStretch(stretch, events)
        show({ older: older() })
      } catch {
        if (!signal.aborted) show({ older: 'failed' })
      }
    },
    close: () => closing.abort(),
  }
}

function unopened({ view }: Stretch, history: History | undefined): Snapshot {
  return { view, link: { phase: 'connecting' }, older: history ? 'loading' : 'none' }
}

function applyFrame(stretch: Stretch, frame: Frame): Stretch {
  switch (frame.type) {
    case 'event':
      return extendStretch(stretch, frame.event)
    case 'delta':
      return { ...stretch, view: applyDelta(stretch.view, frame.delta) }
    case 'live':
    case 'closed':
      return stretch
    default:
      return assertNever(frame)
  }
}
