import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import { createPublisher } from './commit.ts'
import { StoreError } from '../store/store-error.ts'

/** Resolves with what a subscriber hears, and what is written down, when its log cannot be read. */
async function replayFailing(error: Error): Promise<{ frames: Frame[]; told: unknown[] }> {
  const frames: Frame[] = []
  const told: unknown[] = []
  const publisher = createPublisher({
    read: () => Promise.reject(error),
    diagnose: (_message, cause) => void told.push(cause),
  })
  await new Promise<void>((resolve) => {
    const hear = (frame: Frame) => {
      frames.push(frame)
      resolve()
      return true
    }
    publisher.subscribe(0, hear, () => [])
  })
  expect(publisher.count()).toBe(0)
  return { frames, told }
}

test('[HOST18] a log that cannot be replayed is told to its subscriber as failed, and written down', async () => {
  const damaged = new StoreError('corrupt_event', 'event 3 is damaged')
  const { frames, told } = await replayFailing(damaged)
  expect(frames).toEqual([{ type: 'closed', reason: 'failed' }])
  expect(told).toEqual([damaged])
})

test('[HOST18] one that is only locked is to be asked for again', async () => {
  const { frames } = await replayFailing(new StoreError('store_busy', 'locked'))
  expect(frames).toEqual([{ type: 'closed', reason: 'slow' }])
})

/** An event whose text nobody reads. */
function eventAt(seq: number): Event {
  return {
    v: 1,
    seq,
    at: seq,
    by: { kind: 'system' },
    type: 'error',
    code: 'internal',
    message: 'x',
    fatal: false,
    retryAfterMs: null,
  }
}

test('[HTTP50] events that are told while a log is replayed come once and in order, however slow its reader', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.record({
        before: fc.nat(12),
        meanwhile: fc.nat(12),
        page: fc.integer({ min: 1, max: 5 }),
      }),
      async (scheduler, { before, meanwhile, page }) => {
        const log = Array.from({ length: before }, (_, index) => eventAt(index + 1))
        const read = (after: number) =>
          scheduler.schedule(Promise.resolve(log.slice(after, after + page)), 'read')
        const publisher = createPublisher({ read, diagnose: () => undefined })
        const heard: Frame[] = []
        const hear = async (frame: Frame) => {
          heard.push(frame)
          if (!heard.some(({ type }) => type === 'live'))
            await scheduler.schedule(Promise.resolve())
          return true
        }
        publisher.subscribe(0, hear, () => [])
        for (let told = 0; told < meanwhile; told += 1)
          void scheduler.schedule(Promise.resolve(), 'append').then(() => {
            const event = eventAt(log.length + 1)
            log.push(event)
            publisher.events([event])
          })
        await scheduler.waitIdle()
        const events = heard.flatMap((frame) => (frame.type === 'event' ? [frame.event.seq] : []))
        expect(events).toEqual(log.map(({ seq }) => seq))
        expect(heard.filter(({ type }) => type === 'live')).toHaveLength(1)
      },
    ),
  ))
