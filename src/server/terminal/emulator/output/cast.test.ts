import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { castLines, type CastHeader, type CastItem } from './cast.ts'

const header: CastHeader = { cols: 80, rows: 24, startMs: 1_700_000_000_500 }

async function cast(items: readonly CastItem[], facts = header): Promise<readonly unknown[]> {
  async function* each() {
    yield* items
  }
  const lines: unknown[] = []
  for await (const line of castLines(facts, each())) {
    expect(line.endsWith('\n')).toBe(true)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    lines.push(JSON.parse(line))
  }
  return lines
}

test('[EMU40] a cast begins with its header and has output and sizes in their order', async () => {
  const lines = await cast(
    [
      { timeMs: header.startMs + 250, bytes: Buffer.from('$ ls\r\n') },
      { timeMs: header.startMs + 1_000, cols: 100, rows: 30 },
      { timeMs: header.startMs + 1_500.5, bytes: Buffer.from('\x1b[31mé\x1b[0m') },
    ],
    { ...header, title: 'a session', shell: '/bin/bash' },
  )
  expect(lines).toEqual([
    {
      version: 2,
      width: 80,
      height: 24,
      timestamp: 1_700_000_000,
      title: 'a session',
      env: { TERM: 'xterm-256color', SHELL: '/bin/bash' },
    },
    [0.25, 'o', '$ ls\r\n'],
    [1, 'r', '100x30'],
    [1.5005, 'o', '\x1b[31mé\x1b[0m'],
  ])
})

const pieces = fc.array(
  fc.record({
    timeMs: fc.integer({ min: header.startMs - 1_000, max: header.startMs + 1e9 }),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.from('\ufeff漢')),
    ),
  }),
)

test('[EMU40] the output of a cast is the decoded stream, however it was cut', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 5 }), async (items, size) => {
      const whole = Buffer.concat(items.map(({ bytes }) => bytes))
      const cut: CastItem[] = []
      for (let at = 0; at < whole.length; at += size)
        cut.push({ timeMs: header.startMs + at, bytes: whole.subarray(at, at + size) })
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole)
      for (const given of [items, cut]) {
        const [, ...events] = (await cast(given)) as [object, ...[number, string, string][]]
        expect(events.map(([, , data]) => data).join('')).toBe(text)
      }
    }),
  )
})

test('[EMU40] time in a cast never goes back, though clocks do', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (items) => {
      const [, ...events] = (await cast(items)) as [object, ...[number, string, string][]]
      const times = events.map(([time]) => time)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.every((time) => time >= 0)).toBe(true)
    }),
  )
})
