import { expect, test } from 'vitest'
import { createByteStream } from './byte-stream.ts'

const text = 'the quick brown fox jumps over the lazy dog'

function fixture({ kept = text, isWatched = true } = {}) {
  const got: { offset: number; text: string }[] = []
  const stream = createByteStream({
    read: async ({ from, to }) => Buffer.from(kept.slice(from, to)),
    isWatched: () => isWatched,
    onBytes: (offset, bytes) => got.push({ offset, text: Buffer.from(bytes).toString() }),
  })
  const push = (from: number, to: number) => stream.push(from, Buffer.from(text.slice(from, to)))
  return { got, stream, push }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('[LANE2] what the holder skipped is read from the log, in order and once', async () => {
  const { got, push } = fixture()
  push(0, 4)
  push(10, 12)
  push(12, 16)
  push(14, 20)
  push(30, 43)
  await settled()
  push(43, 43)
  expect(got.map((piece) => piece.text).join('')).toBe(text)
  let end = 0
  for (const piece of got) {
    expect(piece.offset).toBe(end)
    end += piece.text.length
  }
})

test('[LANE2] what the log has lost is jumped', async () => {
  const { got, push, stream } = fixture({ kept: '' })
  push(0, 4)
  push(10, 16)
  await settled()
  expect(got).toEqual([
    { offset: 0, text: text.slice(0, 4) },
    { offset: 10, text: text.slice(10, 16) },
  ])
  expect(stream.head()).toBe(16)
})

test('[LANE2] while nobody watches nothing is read', async () => {
  const { got, push } = fixture({ isWatched: false })
  push(10, 16)
  expect(got).toEqual([{ offset: 10, text: text.slice(10, 16) }])
})
