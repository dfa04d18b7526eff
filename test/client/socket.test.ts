import { protocolVersion } from '../../src/protocol/http/routes.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/client/wire/connect.ts'
import { createFeed, type Feed } from '../../src/client/session/feed.ts'
import { createHistory } from '../../src/client/session/records.ts'
import { createSocket } from '../../src/client/socket/socket.ts'
import { until } from '../../src/client/session/until.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import { eachEntry } from '../../src/view/fold/entry-list.ts'
import { viewOf } from '../../src/view/fold/entries.ts'
import { say } from '../http/scripted-hosts.ts'
import { createSignal } from '../support/signal.ts'
import { startTestServer, ticketOf, type TestServer } from '../http/support.ts'
import { openTestTab, type TestTab } from './socket-tab.ts'
import { WebSocket as WebSocketOfNode, WebSocketServer } from 'ws'

const isLive = ({ link }: { link: { phase: string } }) => (link.phase === 'live' ? true : undefined)

function tabOf(server: TestServer): TestTab {
  const client = connect({ url: server.url, token: server.token, fetch, newKey: randomUUID })
  const tab = openTestTab({ url: server.url, client })
  onTestFinished(() => tab.close())
  return tab
}

function feedOf(tab: TestTab, session: string): { feed: Feed; events: Event[] } {
  const events: Event[] = []
  const feed = createFeed(tab.socket, { session, onEvent: (event) => events.push(event) })
  return { feed, events }
}

const reaches = (feed: Feed, head: number) =>
  until(feed, ({ view }) => (view.state.head === head ? view : undefined))

test('[CLIENT5] over the socket a feed is what it is over the event stream, several on one line', async () => {
  const server = await startTestServer()
  const hosts = [server.hosts.session(), server.hosts.session()]
  for (const host of hosts) say(host, `before ${host.id}`)
  const tab = tabOf(server)
  const feeds = hosts.map((host) => feedOf(tab, host.id))
  await Promise.all(feeds.map(({ feed }) => until(feed, isLive)))
  for (const host of hosts) say(host, `after ${host.id}`)
  for (const [at, host] of hosts.entries()) {
    const { feed, events } = feeds[at]!
    expect((await reaches(feed, host.events.length)).entries).toEqual(viewOf(host.events).entries)
    expect(events).toEqual(host.events)
  }
  expect(tab.lines).toHaveLength(1)
})

test('[CLIENT5] a socket that is cut anywhere is taken up again with a new ticket: no event is missing or double', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  for (let i = 0; i < 50; i += 1) say(host, `${i}`)
  const tab = tabOf(server)
  const events: Event[] = []
  const feed = createFeed(tab.socket, {
    session: host.id,
    onEvent(event) {
      events.push(event)
      // In the middle of the replay, and again while it is live.
      if (event.seq % 20 === 0) tab.cut()
    },
  })
  const phases: string[] = []
  feed.subscribe(() => phases.push(feed.getSnapshot().link.phase))
  await until(feed, isLive)
  for (let i = 0; i < 50; i += 1) await reaches(feed, say(host, `live ${i}`).seq)
  expect(events).toEqual(host.events)
  expect(tab.lines.length).toBeGreaterThan(3)
  expect(phases).toContain('reconnecting')
  expect(tab.states.slice(0, 3)).toEqual(['live', 'reconnecting', 'live'])
})

test('[CLIENT5] a client too slow for its socket is dropped, comes back and has everything once', async () => {
  const server = await startTestServer({ clientQueueBytes: 200_000, graceMs: 50 })
  const host = server.hosts.session()
  const tab = tabOf(server)
  const { feed, events } = feedOf(tab, host.id)
  await until(feed, isLive)
  tab.lines[0]!.pause()
  for (let i = 0; i < 1_000 && host.subscribers() === 1; i += 1) {
    say(host, 'x'.repeat(100_000))
    await new Promise(setImmediate)
  }
  expect(host.subscribers()).toBe(0)
  tab.lines[0]!.resume()
  await reaches(feed, say(host, 'after the drop').seq)
  expect(events).toEqual(host.events)
  expect(tab.lines.length).toBeGreaterThan(1)
})

test('[CLIENT17] a ticket opens one socket; with a used one there is none', async () => {
  const server = await startTestServer()
  const ticket = await ticketOf(server)
  const first = createSocket({ url: server.url, ticket: async () => ticket, open: opener })
  await becomes(first, 'live')
  let asked = 0
  const second = createSocket({
    url: server.url,
    open: opener,
    // The stale one first; then it asks for its own.
    ticket: async () => ((asked += 1) === 1 ? ticket : ticketOf(server)),
  })
  await becomes(second, 'live')
  expect(asked).toBe(2)
  first.close()
  second.close()
})

test('[CLIENT17] without a good token the socket says so and waits, and goes on when there is one', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  let token = 'wrong'
  const tab = openTestTab({
    url: server.url,
    get client() {
      return connect({ url: server.url, token, fetch, newKey: randomUUID })
    },
  })
  onTestFinished(() => tab.close())
  const { feed } = feedOf(tab, host.id)
  await becomes(tab.socket, 'unauthorized')
  token = server.token
  tab.socket.retry()
  await until(feed, isLive)
  expect(tab.states).toEqual(['unauthorized', 'live'])
})

test('[CLIENT7] a session that is refused or deleted ends its feed and no other', async () => {
  const server = await startTestServer()
  const [host, other] = [server.hosts.session(), server.hosts.session()]
  const tab = tabOf(server)
  const none = feedOf(tab, '01900000-0000-7000-8000-000000000009').feed
  await expect(until(none, () => undefined)).rejects.toMatchObject({
    fault: { kind: 'refused', refusal: { code: 'not_found' } },
  })
  const { feed } = feedOf(tab, host.id)
  const kept = feedOf(tab, other.id).feed
  await Promise.all([until(feed, isLive), until(kept, isLive)])
  host.close('deleted')
  await expect(until(feed, () => undefined)).rejects.toThrow('no longer followed')
  await reaches(kept, say(other, 'still here').seq)
  expect(tab.lines).toHaveLength(1)
})

test('[CLIENT8] a feed that is closed and opened again at once gets nothing of its former self', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  for (let i = 0; i < 300; i += 1) say(host, `${i}`)
  const tab = tabOf(server)
  for (let i = 0; i < 5; i += 1) {
    const { feed, events } = feedOf(tab, host.id)
    await until(feed, ({ view }) => (view.state.head >= 10 * i ? true : undefined))
    feed.close()
    expect(events).toEqual(host.events.slice(0, events.length))
  }
  const { feed, events } = feedOf(tab, host.id)
  await until(feed, isLive)
  expect(events).toEqual(host.events)
  expect(tab.lines).toHaveLength(1)
  expect(host.subscribers()).toBe(1)
})

test('[CLIENT12] a long session opens with its last events, and older ones come by the page', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  while (host.events.length < 1_300) say(host, `${host.events.length}`)
  const tab = tabOf(server)
  const client = connect({ url: server.url, token: server.token, fetch, newKey: randomUUID })
  const events: number[] = []
  const feed = createFeed(tab.socket, {
    session: host.id,
    history: createHistory(client, host.id),
    onEvent: ({ seq }) => events.push(seq),
  })
  await until(feed, isLive)
  const shown = () => [...eachEntry(feed.getSnapshot().view.entries)].map(({ seq }) => seq)
  expect([shown()[0], shown().length, feed.getSnapshot().older]).toEqual([1_101, 200, 'more'])
  say(host, 'meanwhile')
  await Promise.all([feed.loadOlder(), feed.loadOlder()])
  expect([shown()[0], feed.getSnapshot().older]).toEqual([601, 'more'])
  await feed.loadOlder()
  await feed.loadOlder()
  await reaches(feed, 1_301)
  expect(feed.getSnapshot().view.entries).toEqual(viewOf(host.events).entries)
  expect(feed.getSnapshot().older).toBe('none')
  expect(events).toEqual([1_301])
})

test('[CLIENT8] a line that answers no ping is given up for another, and one that answers stays', async () => {
  const connections: { pings: number }[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    server.close()
  })
  const pinged = createSignal()
  server.on('connection', (line) => {
    const connection = { pings: 0 }
    const isMute = connections.push(connection) === 1
    line.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string }
      if (type === 'ticket') line.send(JSON.stringify({ type: 'ready', protocol: protocolVersion }))
      if (type !== 'ping') return
      connection.pings += 1
      if (!isMute) line.send('{"type":"pong"}')
      pinged.fire()
    })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = createSocket({
    url: `http://127.0.0.1:${port}`,
    ticket: async () => 'any',
    open: opener,
    heartbeatMs: 100,
  })
  onTestFinished(() => socket.close())
  await pinged.until(() => connections.length === 2 && connections[1]!.pings === 5)
  expect(connections).toHaveLength(2)
  expect(connections[0]!.pings).toBeLessThan(4)
})

const opener = (url: string) => new WebSocketOfNode(url)

function becomes(
  socket: { getState(): string; subscribe(listener: () => void): () => void },
  state: string,
) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (socket.getState() === state) resolve()
    }
    socket.subscribe(look)
    look()
  })
}
