import { expect, test } from 'vitest'
import type { SocketFrame } from '../../src/protocol/frame.ts'
import { say } from './scripted-hosts.ts'
import { isLive, openEvents, openSocket, openTab, startTestServer, type Tab } from './support.ts'

const live = (session: string) => (frame: SocketFrame) =>
  frame.type === 'frame' && frame.session === session && frame.frame.type === 'live'

const atSeq = (seq: number) => (frame: SocketFrame) =>
  frame.type === 'frame' && frame.frame.type === 'event' && frame.frame.event.seq === seq

const isRefused = ({ type }: SocketFrame) => type === 'refused'

function framesOf(tab: Tab, session: string): unknown[] {
  return tab.frames.flatMap((frame) =>
    frame.type === 'frame' && frame.session === session ? [frame.frame] : [],
  )
}

function eventsOf(tab: Tab, session: string): unknown[] {
  return tab.frames.flatMap((frame) =>
    frame.type === 'frame' && frame.session === session && frame.frame.type === 'event'
      ? [frame.frame.event]
      : [],
  )
}

test('[HTTP60] the socket carries the same frames as the event stream', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  say(host, 'before')
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await Promise.all([stream.until(isLive), tab.until(live(host.id))])
  host.delta({ type: 'message_delta', step: 1, offset: 0, text: 'more' })
  const last = say(host, 'after')
  await Promise.all([stream.until(({ id }) => id === String(last.seq)), tab.until(atSeq(last.seq))])
  const streamed = stream.messages.map(({ event, data }) => {
    const value: unknown = JSON.parse(data)
    return event === 'event' || event === 'delta' ? { type: event, [event]: value } : value
  })
  expect(framesOf(tab, host.id)).toEqual(streamed)
  expect(streamed).toHaveLength(5)
})

test('[HTTP61] one socket follows several sessions, each from its own place', async () => {
  const server = await startTestServer()
  const [one, two] = [server.hosts.session(), server.hosts.session()]
  for (const host of [one, two]) for (let i = 0; i < 5; i += 1) say(host, `${host.id} ${i}`)
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: one.id, after: 2 })
  tab.say({ type: 'subscribe', session: two.id, after: 4 })
  await Promise.all([tab.until(live(one.id)), tab.until(live(two.id))])
  tab.say({ type: 'unsubscribe', session: two.id })
  await two.followedBy(0)
  say(two, 'unheard')
  await tab.until(atSeq(say(one, 'heard').seq))
  expect(eventsOf(tab, one.id)).toEqual(one.events.slice(2))
  expect(eventsOf(tab, two.id)).toEqual(two.events.slice(4, -1))
})

test('[HTTP62] a socket that says anything before its ticket is closed, and told nothing', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const openers = [
    JSON.stringify({ type: 'subscribe', session: host.id, after: 0 }),
    JSON.stringify({ type: 'ping' }),
    JSON.stringify({ type: 'ticket', ticket: 'guess' }),
    JSON.stringify({ type: 'ticket', ticket: 7 }),
    'not json',
    Buffer.from([1, 2, 3]),
  ]
  for (const opener of openers) {
    const tab = openSocket(server)
    await tab.opened
    tab.socket.send(opener)
    expect((await tab.closed).code).toBe(1008)
    expect(tab.frames).toEqual([])
  }
  expect(host.subscribers()).toBe(0)
})

test('[HTTP62] a socket whose ticket does not come is closed', async () => {
  const server = await startTestServer({ ticketWaitMs: 10 })
  const tab = openSocket(server)
  expect((await tab.closed).code).toBe(1008)
})

test('[HTTP63] every message that cannot be followed gets a refusal, and the socket stays', async () => {
  const server = await startTestServer({ subscriptions: 2 })
  const ids = [1, 2, 3].map(() => server.hosts.session().id)
  const [first = '', second = '', third = ''] = ids
  const tab = await openTab(server)
  const refusalTo = async (message: string | Buffer) => {
    tab.frames.length = 0
    tab.socket.send(message)
    const frame = await tab.until(isRefused)
    return frame.type === 'refused' ? frame.code : null
  }
  const subscribe = (session: string, after = 0) =>
    JSON.stringify({ type: 'subscribe', session, after })
  expect(await refusalTo('nonsense')).toBe('bad_request')
  expect(await refusalTo('null')).toBe('bad_request')
  expect(await refusalTo(Buffer.from('{"type":"ping"}'))).toBe('bad_request')
  expect(await refusalTo('{"type":"dance"}')).toBe('bad_request')
  expect(await refusalTo('{"type":"ping","extra":1}')).toBe('bad_request')
  expect(await refusalTo(subscribe(first, -1))).toBe('bad_request')
  expect(await refusalTo(subscribe(first, 99))).toBe('bad_request')
  expect(await refusalTo(subscribe('no-such-session'))).toBe('not_found')
  expect(await refusalTo(JSON.stringify({ type: 'unsubscribe', session: first }))).toBe(
    'bad_request',
  )
  expect(await refusalTo('{"type":"ticket","ticket":"x"}')).toBe('bad_request')
  tab.say({ type: 'subscribe', session: first, after: 0 })
  await tab.until(live(first))
  expect(await refusalTo(subscribe(first))).toBe('bad_request')
  tab.say({ type: 'subscribe', session: second, after: 0 })
  await tab.until(live(second))
  expect(await refusalTo(subscribe(third))).toBe('overloaded')
  tab.say({ type: 'ping' })
  await tab.until(({ type }) => type === 'pong')
})

test('[HTTP64] an oversized message and broken UTF-8 close only their socket', async () => {
  const server = await startTestServer({ messageBytes: 1_000 })
  const large = await openTab(server)
  large.socket.send('x'.repeat(1_001))
  expect((await large.closed).code).toBe(1009)
  const garbled = await openTab(server)
  garbled.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
  expect((await garbled.closed).code).toBe(1007)
  const other = await openTab(server)
  other.say({ type: 'ping' })
  await other.until(({ type }) => type === 'pong')
})

test('[HTTP65] a socket that leaves is unsubscribed from everything', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await tab.until(live(host.id))
  expect(host.subscribers()).toBe(1)
  tab.socket.close()
  await host.followedBy(0)
})

test('[HTTP66] a socket that stalls is dropped, and the others see everything', async () => {
  const server = await startTestServer({ clientQueueBytes: 200_000, graceMs: 50 })
  const host = server.hosts.session()
  const [reader, stalled] = [await openTab(server), await openTab(server)]
  for (const tab of [reader, stalled]) {
    tab.say({ type: 'subscribe', session: host.id, after: 0 })
    await tab.until(live(host.id))
  }
  stalled.socket.pause()
  const text = 'x'.repeat(100_000)
  for (let i = 0; i < 1_000 && host.subscribers() === 2; i += 1) {
    await reader.until(atSeq(say(host, text).seq))
  }
  expect(host.subscribers()).toBe(1)
  await reader.until(atSeq(say(host, 'after the drop').seq))
  expect(eventsOf(reader, host.id)).toEqual(host.events)
  stalled.socket.resume()
  await stalled.closed
  expect(eventsOf(stalled, host.id)).toEqual(
    host.events.slice(0, eventsOf(stalled, host.id).length),
  )
})

test('[HTTP66] a dropped socket that reads on is told why', async () => {
  const server = await startTestServer({ clientQueueBytes: 200_000 })
  const host = server.hosts.session()
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await tab.until(live(host.id))
  // In one go, and more than the kernel takes.
  for (let i = 0; i < 200; i += 1) say(host, 'x'.repeat(100_000))
  expect((await tab.closed).code).toBe(1013)
  expect(tab.frames.at(-1)).toEqual({
    type: 'frame',
    session: host.id,
    frame: { type: 'closed', reason: 'slow' },
  })
})

test('[HTTP66] a log far longer than the queue is replayed whole over the socket', async () => {
  const server = await startTestServer({ clientQueueBytes: 100_000, replayBytes: 50_000 })
  const host = server.hosts.session()
  for (let i = 0; i < 500; i += 1) say(host, 'x'.repeat(40_000))
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await tab.until(live(host.id))
  expect(eventsOf(tab, host.id)).toEqual(host.events)
})

test('[HTTP67] a socket that answers no ping is dropped, one that answers stays', async () => {
  const server = await startTestServer({ pingMs: 20 })
  const [dead, alive] = [await openTab(server), await openTab(server)]
  // The client library answers pings by itself; this one is made deaf.
  dead.socket.pong = () => {}
  expect((await dead.closed).code).toBe(1006)
  alive.say({ type: 'ping' })
  await alive.until(({ type }) => type === 'pong')
})

test('[HTTP68] the address without an upgrade says what it is', async () => {
  const server = await startTestServer()
  const response = await server.call('/v1/socket')
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket'])
})
