import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookLimit } from './wake.ts'
import { pauseLimit, startLimit } from './deadlines.ts'

test('[FOLD10] the time of a run is not up while its program waits for somebody, and begins anew if it would be', () => {
  const times = fc.record({
    ms: fc.integer({ min: 1, max: 60_000 }),
    pausedAt: fc.nat(100_000),
    pausedFor: fc.nat(200_000),
  })
  fc.assert(
    fc.property(times, ({ ms, pausedAt, pausedFor }) => {
      const limit = startLimit('duration', { ms, usedMs: 0, now: 0 })!
      fc.pre(pausedAt < ms)
      const paused = pauseLimit(limit, true, pausedAt)
      const end = pausedAt + pausedFor
      expect(lookLimit(paused, end).news).toBeNull()
      const on = pauseLimit(paused, false, end)
      const due = end < ms ? ms : end + ms
      expect(lookLimit(on, due - 1).news).toBeNull()
      expect(lookLimit(on, due).news).toEqual({ type: 'reached' })
    }),
  )
})
