import { expect, test } from 'vitest'
import type { Frame } from '../protocol/frame.ts'
import { createPublisher } from './publish.ts'
import { StoreError } from './store/store-error.ts'

/** What a subscriber hears, and what is written down, when its log cannot be read. */
async function replayFailing(error: Error): Promise<{ frames: Frame[]; told: unknown[] }> {
  const frames: Frame[] = []
  const told: unknown[] = []
  const publisher = createPublisher({
    read: () => Promise.reject(error),
    catchUp: () => [],
    diagnose: (_message, cause) => void told.push(cause),
  })
  await new Promise<void>((resolve) => {
    publisher.subscribe(0, (frame) => {
      frames.push(frame)
      resolve()
      return true
    })
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
