import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmulator, type Emulator } from '../../src/server/terminal/emulator/worker/emulator.ts'
import { createScreen } from '../../src/server/terminal/emulator/screen/screen.ts'
import { recordings } from './support/streams.ts'
import { bundleWorker, type Bundle } from './support/worker-bundle.ts'

const size = { cols: 80, rows: 24 }
const encode = (text: string) => new TextEncoder().encode(text)
let bundle: Bundle

beforeAll(async () => {
  bundle = await bundleWorker()
})
afterAll(() => bundle.remove())

/** An emulator of its own, which must not end by itself. */
async function withEmulator<T>(work: (emulator: Emulator) => Promise<T>): Promise<T> {
  const exits: Error[] = []
  const emulator = startEmulator({ entry: bundle.entry, onExit: (error) => exits.push(error) })
  try {
    return await work(emulator)
  } finally {
    await emulator.close()
    expect(exits).toEqual([])
  }
}

test('[EMU20] many screens share one worker, and each is as if it were alone', () =>
  withEmulator(async (emulator) => {
    const opened = recordings().map((stream) => ({ ...stream, screen: emulator.open(size) }))
    const longest = Math.max(...opened.map(({ bytes }) => bytes.length))
    for (let at = 0; at < longest; at += 1_000)
      for (const { screen, bytes } of opened) screen.write(bytes.subarray(at, at + 1_000))
    for (const { screen, bytes, name } of opened) {
      const alone = createScreen(size)
      alone.write(bytes, 0)
      expect(await screen.snapshot(), name).toEqual(alone.snapshot())
      expect(await screen.text({ lines: 50 }), name).toBe(alone.text({ lines: 50 }))
      expect(screen.lag()).toBe(0)
    }
  }))

test('[EMU20] bytes, sizes and questions take effect in the order they were given', () =>
  withEmulator(async (emulator) => {
    const screen = emulator.open({ cols: 10, rows: 3 })
    screen.write(encode('0123456789abc'))
    const before = screen.text()
    screen.resize({ cols: 20, rows: 4 })
    const resized = screen.snapshot()
    screen.write(encode('\r\nmore'))
    const after = screen.text()
    expect(await before).toBe('0123456789abc')
    expect(await resized).toMatchObject({ offset: 13, cols: 20, rows: 4 })
    expect(await after).toBe('0123456789abc\nmore')
  }))

test('[LANE16] answers and full-screen programs are reported for the screen they belong to', () =>
  withEmulator(async (emulator) => {
    const seen: unknown[] = []
    const events = (name: string) => ({
      onAnswer: (text: string) => seen.push([name, text]),
      onAlternate: (on: boolean) => seen.push([name, on]),
    })
    const one = emulator.open(size, events('one'))
    const two = emulator.open(size, events('two'))
    one.replay(encode('\x1b[5n'))
    one.write(encode('\x1b[?1049h\x1b[5n'))
    two.write(encode('ab\x1b[6n'))
    await Promise.all([one.text(), two.text()])
    expect(seen).toEqual([
      ['one', true],
      ['one', '\x1b[0n'],
      ['two', '\x1b[1;3R'],
    ])
    expect([one.isAlternate(), two.isAlternate()]).toEqual([true, false])
  }))

test('[EMU20] a flood is parsed in bounded memory, its lag is known, and other screens go on', () =>
  withEmulator(async (emulator) => {
    const line = encode(`\x1b[32m${'flood '.repeat(12)}\x1b[0m\r\n`)
    const block = new Uint8Array(Buffer.concat(Array.from({ length: 800 }, () => line)))
    const blocks = Math.ceil((20 * 1024 * 1024) / block.length)
    const flooded = emulator.open(size)
    const other = emulator.open(size)
    const baseline = process.memoryUsage().rss
    let most = 0
    for (let index = 0; index < blocks; index += 1) flooded.write(block)
    const total = blocks * block.length
    expect({ lag: flooded.lag(), offset: flooded.offset() }).toEqual({ lag: total, offset: total })
    other.write(encode('quick'))
    const quick = other.text().then((text) => ({ text, lagThen: flooded.lag() }))
    const final = flooded.snapshot()
    for (let lag = flooded.lag(); lag > 0; lag = flooded.lag()) {
      most = Math.max(most, process.memoryUsage().rss)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { text, lagThen } = await quick
    expect(text).toBe('quick')
    // It did not wait for the flood to pass.
    expect(lagThen).toBeGreaterThan(total / 2)
    expect((await final).offset).toBe(total)
    expect(most - baseline).toBeLessThan(100 * 1024 * 1024)
  }))

test('[EMU20] a run is rendered in the worker too', () =>
  withEmulator(async (emulator) => {
    const rendered = await emulator.render(encode('10%\r50%\r100%\r\ndone\r\n'), { cols: 80 })
    expect(rendered).toEqual({ text: '100%\ndone\n', alternateScreen: false })
  }))

test('[EMU20] a worker that ends says so once, and leaves no question open', async () => {
  const entry = `${bundle.entry}.ends.mjs`
  const failing = `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ type }) => { if (type === 'snapshot') throw new Error('gone') })`
  writeFileSync(entry, failing)
  const exits: Error[] = []
  const emulator = startEmulator({ entry, onExit: (error) => exits.push(error) })
  const screen = emulator.open(size)
  screen.write(encode('x'))
  const text = screen.text()
  const snapshot = screen.snapshot()
  await expect(text).rejects.toThrow('the emulator failed')
  await expect(snapshot).rejects.toThrow('the emulator failed')
  await expect(screen.text()).rejects.toThrow('the emulator failed')
  screen.write(encode('more'))
  await emulator.close()
  expect(exits.map(({ cause }) => (cause as Error).message)).toEqual(['gone'])
})

test('[EMU1] a screen starts from a checkpoint, at its offset', () =>
  withEmulator(async (emulator) => {
    const first = createScreen(size)
    first.write(encode('\x1b[31mhello '), 0)
    const checkpoint = first.snapshot()
    const screen = emulator.open({ ...size, checkpoint })
    screen.write(encode('world'))
    first.write(encode('world'), checkpoint.offset)
    expect(await screen.snapshot()).toEqual(first.snapshot())
  }))

test('[EMU20] a closed screen answers no more, and the others still do', () =>
  withEmulator(async (emulator) => {
    const closed = emulator.open(size)
    const other = emulator.open(size)
    closed.close()
    await expect(closed.snapshot()).rejects.toThrow('closed')
    other.write(encode('here'))
    expect(await other.text()).toBe('here')
  }))
