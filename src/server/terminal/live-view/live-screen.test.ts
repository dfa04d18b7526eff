import { expect, test } from 'vitest'
import type { RemoteScreen } from '../emulator/worker/emulator.ts'
import { createLiveScreen } from './live-screen.ts'
import type { SharedEmulator, SharedScreenEvents } from '../emulator/worker/shared-emulator.ts'

const log = 'abcdefghijklmnopqrstuvwxyz'
const settled = () => new Promise((resolve) => setTimeout(resolve))

function fixture({ isSilent = false } = {}) {
  const opened: { start: number; old: string; fresh: string; events: SharedScreenEvents }[] = []
  const answers: boolean[] = []
  let head = 5
  let lag = 0
  const emulator: SharedEmulator = {
    open({ offset: start = 0 }, events) {
      const screen = { start, old: '', fresh: '', events }
      opened.push(screen)
      const end = () => start + screen.old.length + screen.fresh.length
      const snapshot = async () => {
        if (isSilent) await new Promise(() => {})
        return { rows: 24, cols: 80, offset: end(), data: '' }
      }
      return {
        write: (bytes) => void (screen.fresh += Buffer.from(bytes).toString()),
        replay: (bytes) => void (screen.old += Buffer.from(bytes).toString()),
        resize() {},
        snapshot,
        text: async () => '',
        isAlternate: () => false,
        lag: () => lag,
        offset: end,
        close() {},
      } satisfies RemoteScreen
    },
    render: async () => null,
    close: async () => undefined,
  }
  const screen = createLiveScreen({
    emulator,
    size: () => ({ rows: 24, cols: 80 }),
    head: () => head,
    readStart: async (to) => ({ offset: 0, bytes: Buffer.from(log.slice(0, to)) }),
    takeAnswers: (on) => void answers.push(on),
    answer() {},
    onAlternate() {},
  })
  const print = (to: number) => {
    const bytes = Buffer.from(log.slice(head, to))
    const offset = head
    head = to
    screen.feed(offset, bytes)
  }
  const setLag = (bytes: number) => {
    lag = bytes
  }
  return { screen, opened, answers, print, setLag }
}

test('[LANE2] a screen is drawn from the log and then fed; only what the holder leaves is answered', async () => {
  const { screen, opened, answers, print } = fixture()
  print(6)
  expect(opened).toEqual([])
  screen.open()
  print(8)
  screen.answersFrom(9)
  print(12)
  await settled()
  print(14)
  expect(answers).toEqual([true])
  expect(opened).toMatchObject([{ start: 0, old: 'abcdefghi', fresh: 'jklmn' }])
  expect((await screen.snapshot()).offset).toBe(14)
})

test('[LANE2] when the emulator dies the screen is drawn anew, and the holder answers meanwhile', async () => {
  const { screen, opened, answers, print } = fixture()
  screen.open()
  await settled()
  screen.answersFrom(5)
  opened[0]!.events.onLost()
  expect(answers).toEqual([true, false])
  print(10)
  expect((await screen.snapshot()).offset).toBe(10)
  print(12)
  expect(opened.length).toBe(2)
  expect(opened[1]!.old + opened[1]!.fresh).toBe(log.slice(0, 12))
  expect(answers).toEqual([true, false, true])
})

test('[LANE2] a jump in the stream makes it start anew from the log', async () => {
  const { screen, opened } = fixture()
  screen.open()
  await settled()
  screen.feed(20, Buffer.from('xyz'))
  await settled()
  expect(opened.length).toBe(2)
})

test('[LANE2] a screen far behind sits the flood out, and is drawn once it is over', async () => {
  const { screen, opened, answers, print, setLag } = fixture()
  screen.open()
  await settled()
  screen.answersFrom(5)
  setLag(9 * 1024 * 1024)
  print(8)
  setLag(0)
  print(11)
  expect([opened.length, answers]).toEqual([1, [true, false]])
  // No snapshot is asked for: it wakes by itself.
  await expect.poll(() => opened.length).toBe(2)
  print(14)
  expect(opened[1]!.old + opened[1]!.fresh).toBe(log.slice(0, 14))
  expect(answers).toEqual([true, false, true])
  screen.close()
})

test('[LANE2] who asks for the screen in a flood gets it at once', async () => {
  const { screen, opened, print, setLag } = fixture()
  screen.open()
  await settled()
  setLag(9 * 1024 * 1024)
  print(8)
  setLag(0)
  print(11)
  expect((await screen.snapshot()).offset).toBe(11)
  expect(opened.length).toBe(2)
  screen.close()
})

test('[LANE2] at rest nothing is fed and the holder answers, until somebody looks again', async () => {
  const { screen, opened, answers, print } = fixture()
  screen.open()
  await settled()
  screen.rest()
  print(9)
  expect([screen.isOpen(), answers, opened.length]).toEqual([false, [true, false], 1])
  expect((await screen.snapshot()).offset).toBe(9)
  expect(answers).toEqual([true, false, true])
})

test('[LANE2] who waits for a screen that is given up is told', async () => {
  const { screen } = fixture({ isSilent: true })
  const waits = expect(screen.snapshot()).rejects.toThrow('given up')
  await settled()
  screen.feed(20, Buffer.from('xyz'))
  await waits
})
