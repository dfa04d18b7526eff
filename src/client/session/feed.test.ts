import { expect, test, vi } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { StreamOptions } from '../wire/event-stream.ts'
import { createFeed } from './feed.ts'

/** A source that brings frames until it is closed. */
function scripted() {
  let options: StreamOptions | undefined
  const follow = (given: StreamOptions) => {
    options = given
    return new Promise<void>((resolve) => given.signal.addEventListener('abort', () => resolve()))
  }
  return { follow, tell: (frames: readonly Frame[]) => options?.onFrames(frames) }
}

test('[CLIENT7] a fault in following a session ends its feed, and everybody hears which', async () => {
  const log = createLog()
  log.start()
  const frames = log.events().map((event): Frame => ({ type: 'event', event }))
  const fault = new Error('a bug')
  const ends = async (breaks: 'event' | 'listener') => {
    const source = scripted()
    const once = vi.fn().mockImplementationOnce(() => {
      throw fault
    })
    const onEvent = breaks === 'event' ? { onEvent: once } : {}
    const feed = createFeed(source, { session: 'session-1', ...onEvent })
    await Promise.resolve()
    const heard = vi.fn()
    if (breaks === 'listener') feed.subscribe(once)
    feed.subscribe(() => heard(feed.getSnapshot().link))
    source.tell(frames)
    await vi.waitFor(() => expect(feed.getSnapshot().link.phase).toBe('closed'))
    return heard.mock.lastCall
  }
  expect(await ends('event')).toEqual([{ phase: 'closed', error: fault }])
  expect(await ends('listener')).toEqual([{ phase: 'closed', error: fault }])
})
