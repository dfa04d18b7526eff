import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventStore } from '../../src/server/store/store.ts'
import { log } from '../store/events.ts'

const one = 'session-1'
const two = 'session-2'
const mediaType = 'image/png'

/** What every event store promises about blobs. `open` gives an empty one. */
export function describeBlobs(name: string, open: () => EventStore): void {
  describe(`blobs: ${name}`, () => {
    let store: EventStore
    beforeEach(async () => {
      store = open()
      for (const session of [one, two]) await store.append(session, 0, { events: log(1) })
    })
    afterEach(() => store.close())

    test('[BLOB1] any bytes come back as they went in, by their hash', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 0]), randomBytes(4_000_000)]) {
        const hash = await store.saveBlob(one, { bytes, mediaType })
        expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'))
        const kept = await store.blob(one, hash)
        expect(kept?.bytes.equals(bytes)).toBe(true)
        expect(kept?.mediaType).toBe(mediaType)
      }
      expect(await store.blob(one, 'no such hash')).toBeNull()
    })

    test('[BLOB1] the same bytes are kept once a session, and counted once', async () => {
      const bytes = Buffer.from('twice')
      const hash = await store.saveBlob(one, { bytes, mediaType })
      expect(await store.saveBlob(one, { bytes, mediaType })).toBe(hash)
      expect(await store.blobs(one)).toEqual({ count: 1, bytes: 5 })
      await store.saveBlob(one, { bytes: Buffer.from('another'), mediaType })
      expect(await store.blobs(one)).toEqual({ count: 2, bytes: 12 })
    })

    test('[BLOB1] a blob belongs to its session: another does not see it, and it goes with its own', async () => {
      const bytes = Buffer.from('mine')
      const hash = await store.saveBlob(one, { bytes, mediaType })
      expect(await store.blob(two, hash)).toBeNull()
      expect(await store.blobs(two)).toEqual({ count: 0, bytes: 0 })
      await store.saveBlob(two, { bytes, mediaType })
      await store.remove(one)
      expect(await store.blob(one, hash)).toBeNull()
      expect((await store.blob(two, hash))?.bytes.toString()).toBe('mine')
      await expect(store.saveBlob('no session', { bytes, mediaType })).rejects.toThrow('not exist')
    })

    test('[BLOB1] what a caller does to its bytes later does not reach the store', async () => {
      const bytes = Buffer.from('kept')
      const hash = await store.saveBlob(one, { bytes, mediaType })
      bytes.fill(0)
      ;(await store.blob(one, hash))?.bytes.fill(0)
      expect((await store.blob(one, hash))?.bytes.toString()).toBe('kept')
    })
  })
}
