import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { Frame } from '../protocol/frame.ts'
import type { Head, SessionId } from '../protocol/seq.ts'
import { applyDelta } from '../view/apply-delta.ts'
import { openStretch } from '../view/opened.ts'
import { emptyStretch, extendStretch, prependStretch, type Stretch } from '../view/stretch.ts'
import type { View } from '../view/view.ts'
import { isUnreachable } from './client-error.ts'
import type { StreamOptions } from './event-stream.ts'
import type { History } from './history.ts'
import { backoff, waitFor } from './wait.ts'

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

/** Where frames come from: the event stream of a `Client`, or a `Socket`. */
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
  const listeners = new Set<() => void>()
  let stretch = emptyStretch(after + 1)
  let wasLive = false
  let snapshot: Snapshot = {
    view: stretch.view,
    link: { phase: 'connecting' },
    older: history ? 'loading' : 'none',
  }

  const show = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, view: stretch.view, ...change }
    for (const listener of listeners) listener()
  }
  const older = (): Older => (history && stretch.first > 1 ? 'more' : 'none')
  const down = (): Link => ({ phase: wasLive ? 'reconnecting' : 'connecting' })

  const onFrames = (frames: readonly Frame[]) => {
    let { link } = snapshot
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
    const { session: found, events } = await whileUnreachable(() => history.open(signal), signal)
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
    () => show({ link: { phase: 'closed', error: null } }),
    (error: unknown) => show({ link: { phase: 'closed', error: signal.aborted ? null : error } }),
  )

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async loadOlder() {
      if (history === undefined || snapshot.older === 'none' || snapshot.older === 'loading') return
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

async function whileUnreachable<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted || !isUnreachable(error)) throw error
      await waitFor(backoff(failures), signal)
    }
  }
}
