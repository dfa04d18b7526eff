import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Foreground } from './classify.ts'
import { dueMs, read, startPace, stir, type Pace } from './watch-foreground.ts'

const running: Foreground = { state: 'running', certain: true, pid: 1 }
const asking: Foreground = { state: 'waiting', certain: true, pid: 2, program: 'cat' }

const readAt = (pace: Pace, now: number, found = running) =>
  read(pace, { found, stirredAt: pace.stirredAt, now })

test('[PROBE8] a reading is due 150 ms after the last stir, and a second after the last reading at most', () => {
  const start = startPace(0)
  expect(dueMs(start, 0)).toBe(150)
  expect(dueMs(stir(start, 100), 100)).toBe(150)
  expect(dueMs(stir(start, 990), 990)).toBe(10)
  expect(dueMs(stir(start, 2_000), 2_000)).toBeLessThanOrEqual(0)
})

test('[PROBE8] each reading without news doubles the wait up to a second, and news ends it', () => {
  const waits: number[] = []
  let pace = startPace(0)
  for (let now = 1; now < 7; now += 1) {
    pace = readAt(pace, now).pace
    waits.push(pace.waitMs)
  }
  expect(waits).toEqual([150, 300, 600, 1000, 1000, 1000])
  expect(readAt(pace, 8, asking).pace.waitMs).toBe(150)
  expect(stir(pace, 8).waitMs).toBe(150)
})

test('[PROBE8] a stir during a reading makes the next one soon', () => {
  const known = readAt(readAt(startPace(0), 1).pace, 2).pace
  const stirred = stir(known, 3)
  expect(read(stirred, { found: running, stirredAt: known.stirredAt, now: 4 }).pace.waitMs).toBe(
    150,
  )
})

test('[PROBE15] a reading is news only if another state was reported last', () => {
  const foreground = fc.record({
    state: fc.constantFrom<Foreground['state'][]>('running', 'waiting', 'secret'),
    certain: fc.boolean(),
    pid: fc.integer({ min: 1, max: 2 }),
  })
  fc.assert(
    fc.property(fc.array(foreground), (seen) => {
      let pace = startPace(0)
      for (const found of seen) {
        const next = readAt(pace, 1, found)
        expect(next.isNews ? next.pace.reported : pace.reported).toEqual(next.pace.reported)
        if (next.isNews) expect(next.pace.reported).toEqual(found)
        expect(readAt(next.pace, 2, found).isNews).toBe(false)
        pace = next.pace
      }
    }),
  )
})
