import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFeed } from '../../src/client/session/feed.ts'
import { createHistory } from '../../src/client/session/records.ts'
import { until } from '../../src/client/session/until.ts'
import type { SessionState } from '../../src/log/state.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import { byteLog } from '../live-view/support/byte-log.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openTestTab, openTestTerminal, type TestTab } from './socket-tab.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

function tabOf(): TestTab {
  const tab = openTestTab(server)
  onTestFinished(() => tab.close())
  return tab
}

const isLive = ({ link }: { link: { phase: string } }) => (link.phase === 'live' ? true : undefined)

test('[CLIENT5] a terminal that is cut anywhere gets every byte of the log once and in order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 5 }),
      async (steps) => {
        const session = await server.session()
        const tab = openTestTab(server)
        const cuts = steps.map((_, at) => steps.slice(0, at + 1).reduce((a, b) => a + b, 0))
        const terminal = openTestTerminal(tab.socket, {
          session: session.id,
          onBytes(end) {
            if (cuts.length === 0 || end < cuts[0]!) return
            cuts.shift()
            tab.cut()
          },
        })
        await terminal.until(() => /[$#] /.test(terminal.text()))
        await session.run('seq 1 60000; printf "\\e[31mred\\e[0m\\n"')
        // Reading a run's output makes the holder write its log.
        await session.run('true')
        const log = await byteLog(server, session.id)
        await terminal.until(() => terminal.end() >= log.length)
        expect(terminal.screens).toHaveLength(1)
        const got = terminal.bytes().subarray(0, log.length - terminal.from())
        expect(got.equals(log.subarray(terminal.from()))).toBe(true)
        if (cuts.length < steps.length) expect(tab.lines.length).toBeGreaterThan(1)
        tab.close()
        session.close()
      },
    ),
    { numRuns: 4, examples: [[[30_000, 30_000, 100_000, 100_000]]] },
  ))

test('[CLIENT5] a server that is killed in mid-run and started again goes on in feed and terminal', async () => {
  const session = await server.session()
  const tab = tabOf()
  const terminal = openTestTerminal(tab.socket, { session: session.id })
  const events: Event[] = []
  const feed = createFeed(tab.socket, {
    session: session.id,
    history: createHistory(server.client, session.id),
    onEvent: (event) => events.push(event),
  })
  await until(feed, isLive)
  await terminal.until(() => /[$#] /.test(terminal.text()))
  await session.send('!echo beg""un; read -r line; echo "got <$line>"; seq 1 5000; echo all-ov""er')
  await terminal.until(() => terminal.text().includes('begun'))
  await until(feed, ({ view }) => (view.state.runs.length === 1 ? true : undefined))
  await server.kill()
  await tab.changed.until(() => tab.socket.getState() === 'reconnecting')
  expect(terminal.channel.type('nobody hears this\r')).toBe(false)
  await server.restart()
  await until(feed, isLive)
  await terminal.until(() => terminal.live())
  terminal.channel.type('hello\r')
  await terminal.until(() => /all-over\r\n/.test(terminal.text()))
  expect(terminal.text()).toContain('got <hello>')
  const isOver = ({ runs, calls }: SessionState) => runs.length + calls.length === 0
  await until(feed, ({ view }) => (isOver(view.state) ? true : undefined))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => events[0]!.seq + at))
  expect(feed.getSnapshot().link.phase).toBe('live')
  feed.close()
  session.close()
})

test('[CLIENT24] two tabs see the same bytes and agree on the size; each hears what the other types', async () => {
  const session = await server.session()
  const [one, two] = [tabOf(), tabOf()]
  const left = openTestTerminal(one.socket, { session: session.id, rows: 40, cols: 120 })
  await left.until(() => /[$#] /.test(left.text()))
  const right = openTestTerminal(two.socket, { session: session.id, rows: 30, cols: 100 })
  const agreed = { rows: 30, cols: 100 }
  await left.until(() => left.sizes.at(-1)?.cols === agreed.cols)
  expect(left.sizes.at(-1)).toEqual(agreed)
  await right.until(() => right.live())
  right.channel.type('echo from-the-ri""ght; stty size\r')
  for (const terminal of [left, right])
    await terminal.until(() => /from-the-right\r\n30 100\r\n/.test(terminal.text()))
  right.channel.close()
  await left.until(() => left.sizes.at(-1)?.cols === 120)
  await left.until(() => left.end() >= right.end())
  const from = Math.max(left.from(), right.from())
  const shared = Math.min(left.end(), right.end())
  const range = (terminal: typeof left) =>
    terminal.bytes().subarray(from - terminal.from(), shared - terminal.from())
  expect(range(left).equals(range(right))).toBe(true)
  session.close()
})

test('[CLIENT24] a terminal that draws nothing is skipped, and shown the present when it draws again', async () => {
  const session = await server.session()
  const tab = tabOf()
  let isFrozen = true
  const frozen = openTestTerminal(tab.socket, { session: session.id, isFrozen: () => isFrozen })
  const reader = await openViewer(server, session.id)
  await reader.untilSeen(/[$#] /)
  await frozen.until(() => frozen.screens.length === 1)
  reader.type("seq 1 1500000; echo flood-ov''er\r")
  await reader.untilSeen(/flood-over\r\n/)
  expect(reader.end() - frozen.end()).toBeGreaterThan(8 * 1024 * 1024)
  isFrozen = false
  frozen.channel.drawn(frozen.end())
  await frozen.until(() => frozen.screens.length > 1 && frozen.end() >= reader.end())
  expect(frozen.text()).toContain('flood-over')
  expect(reader.gaps).toEqual([])
  await reader.close()
  session.close()
})

test('[CLIENT24] a long paste arrives whole, and what may not be typed is said to whoever typed it', async () => {
  const session = await server.session()
  const tab = tabOf()
  const terminal = openTestTerminal(tab.socket, { session: session.id })
  await terminal.until(() => /[$#] /.test(terminal.text()))
  const paste = '🖥é\u001b'.repeat(8_000)
  const bytes = Buffer.from(paste)
  terminal.channel.type(
    `stty -icanon -echo; head -c ${bytes.length} | md5sum; stty icanon echo; echo do''ne\r`,
  )
  expect((await session.until('run_start')).source).toBe('typed')
  terminal.channel.type(paste)
  await terminal.until(() => /done\r\n/.test(terminal.text()))
  expect(terminal.text()).toContain(createHash('md5').update(bytes).digest('hex'))
  expect(terminal.refusals).toEqual([])
  const other = tabOf()
  const none = openTestTerminal(other.socket, { session: '01900000-0000-7000-8000-000000000009' })
  await none.until(() => none.refusals.length > 0)
  expect(none.refusals).toEqual(['view: not_found'])
  session.close()
})
