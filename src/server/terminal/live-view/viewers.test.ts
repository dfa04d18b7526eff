import { expect, test } from 'vitest'
import { createViewers } from './viewers.ts'

const kib = 1024
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A stream of zeros, and a viewer that notes what it is given. */
function fixture({
  from = null as number | null,
  start = 0,
  snapshotOffset = null as number | null,
} = {}) {
  let head = start
  const given: string[] = []
  let end = 0
  const viewers = createViewers({
    flush: () => head,
    read: async ({ from: at, to }) => new Uint8Array(to - at),
    snapshot: async () => ({ rows: 24, cols: 80, offset: snapshotOffset ?? head, data: '' }),
    snapshotLag: () => 0,
  })
  const viewer = viewers.add(
    {
      bytes(offset, bytes) {
        expect(offset).toBe(end)
        end += bytes.length
        given.push(`bytes ${offset}`)
      },
      screen({ offset }) {
        end = offset
        given.push(`screen ${offset}`)
      },
    },
    from,
  )
  if (from !== null) end = from
  return {
    given,
    viewer,
    end: () => end,
    head: () => head,
    print(bytes: number) {
      for (let left = bytes; left > 0; left -= 64 * kib) {
        const piece = new Uint8Array(Math.min(left, 64 * kib))
        head += piece.length
        viewers.send(head - piece.length, piece)
      }
    },
  }
}

test('[LANE2] a viewer that acknowledges nothing gets a window full and no more', async () => {
  const { print, end, given } = fixture()
  await settled()
  expect(given).toEqual(['screen 0'])
  print(8 * kib * kib)
  await settled()
  expect(end()).toBe(1088 * kib)
})

test('[LANE2] one far behind is shown a snapshot once it has drawn nearly all it had', async () => {
  const { print, end, given, viewer, head } = fixture()
  await settled()
  print(12 * kib * kib)
  viewer.ack(end() - 65 * kib)
  await settled()
  expect(given.filter((what) => what.startsWith('screen'))).toEqual(['screen 0'])
  viewer.ack(end())
  await settled()
  expect(given.at(-1)).toBe(`screen ${12 * kib * kib}`)
  print(10)
  expect(end()).toBe(head())
})

test('[LANE2] one that draws as it goes gets every byte of a burst', async () => {
  const { print, end, given, viewer, head } = fixture()
  await settled()
  print(3 * kib * kib)
  for (let turns = 0; end() < head() && turns < 100; turns += 1) {
    viewer.ack(end())
    await settled()
  }
  print(5)
  expect(end()).toBe(head())
  expect(given.filter((what) => what.startsWith('screen'))).toEqual(['screen 0'])
})

test('[LANE2] what is printed while a viewer joins reaches it, however it joins', async () => {
  for (const from of [null, 900 * kib, 1000 * kib]) {
    const { print, end, viewer, head } = fixture({ from, start: 1000 * kib })
    print(100 * kib)
    await settled()
    for (let turns = 0; end() < head() && turns < 10; turns += 1) {
      viewer.ack(end())
      await settled()
    }
    expect(end()).toBe(head())
  }
})

test('[LANE2] a snapshot that is older than the stream is followed by what is between', async () => {
  const { end, given } = fixture({ start: 100 * kib, snapshotOffset: 40 * kib })
  await settled()
  await settled()
  expect(given).toEqual([`screen ${40 * kib}`, `bytes ${40 * kib}`])
  expect(end()).toBe(100 * kib)
})

test('[LANE2] one that follows from the log is sent more before it has drawn the last', async () => {
  const { print, end, viewer } = fixture()
  await settled()
  print(4 * kib * kib)
  const first = end()
  viewer.ack(first - 600 * kib)
  await settled()
  expect(end()).toBe(first)
  viewer.ack(first - 400 * kib)
  await settled()
  expect(end()).toBe(first + 624 * kib)
})

test('[LANE2] acknowledging what was never sent changes nothing', async () => {
  const { print, end, viewer } = fixture()
  await settled()
  viewer.ack(Number.MAX_SAFE_INTEGER)
  print(8 * kib * kib)
  expect(end()).toBe(1088 * kib)
})
