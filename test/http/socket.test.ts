import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { SocketFrame } from '../../src/protocol/stream/frame.ts'
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

test('[HTTP60] one socket follows several sessions, each from its own place', async () => {
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

test('[HTTP62] every message that cannot be followed gets a refusal, and the socket stays', async () => {
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

test('[HTTP62] an oversized message and broken UTF-8 close only their socket', async () => {
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

test('[HTTP53] a socket that leaves is unsubscribed from everything', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await tab.until(live(host.id))
  expect(host.subscribers()).toBe(1)
  tab.socket.close()
  await host.followedBy(0)
})

test('[HTTP55] a socket that stalls is dropped, and the others see everything', async () => {
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

test('[HTTP55] a dropped socket that reads on is told why', async () => {
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

test('[HTTP55] a log far longer than the queue is replayed whole over the socket', async () => {
  const server = await startTestServer({ clientQueueBytes: 100_000, replayBytes: 50_000 })
  const host = server.hosts.session()
  for (let i = 0; i < 500; i += 1) say(host, 'x'.repeat(40_000))
  const tab = await openTab(server)
  tab.say({ type: 'subscribe', session: host.id, after: 0 })
  await tab.until(live(host.id))
  expect(eventsOf(tab, host.id)).toEqual(host.events)
})

test('[HTTP55] a socket that answers no ping is dropped, one that answers stays', async () => {
  const server = await startTestServer({ pingMs: 20 })
  const [dead, alive] = [await openTab(server), await openTab(server)]
  // The client library answers pings by itself; this one is made deaf.
  dead.socket.pong = () => {}
  expect((await dead.closed).code).toBe(1006)
  alive.say({ type: 'ping' })
  await alive.until(({ type }) => type === 'pong')
})

test('[HTTP62] the address without an upgrade says what it is', async () => {
  const server = await startTestServer()
  const response = await server.call('/v1/socket')
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket'])
})

test('[HTTP62] before the ticket a ping or a pong ends the connection, and is not answered', async () => {
  const server = await startTestServer()
  for (const frame of ['ping', 'pong'] as const) {
    const tab = openSocket(server)
    const answers: Buffer[] = []
    tab.socket.on('pong', (data) => answers.push(data))
    await tab.opened
    for (let at = 0; at < 1_000; at += 1) tab.socket[frame]('x'.repeat(125))
    expect((await tab.closed).code).toBe(1006)
    expect(answers).toEqual([])
  }
})

test('[HTTP62] who was turned away and talks on is not waited for', async () => {
  const server = await startTestServer({ graceMs: 600_000 })
  const tab = openSocket(server)
  await tab.opened
  // It answers no close frame.
  tab.socket.close = () => {}
  for (let at = 0; at < 10; at += 1) tab.socket.send('not a ticket')
  await tab.closed
})

test('[HTTP62] a few pings are answered, and a flood of them ends the socket before answers pile up', async () => {
  const server = await startTestServer()
  const tab = await openTab(server)
  const answers: string[] = []
  const first = new Promise((resolve) =>
    tab.socket.on('pong', (data) => {
      answers.push(data.toString())
      resolve(data)
    }),
  )
  tab.socket.ping('a')
  await first
  for (let at = 0; at < 10_000; at += 1) tab.socket.ping(String(at))
  expect((await tab.closed).code).toBe(1006)
  expect(answers[0]).toBe('a')
  expect(answers.length).toBeLessThanOrEqual(20)
})

test('[HTTP62] no protocol and no compression is agreed on', async () => {
  const server = await startTestServer()
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.once('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
    socket.write(
      `GET /v1/socket HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' +
        'Sec-WebSocket-Protocol: soap, x\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
    )
  })
  expect(answer).toMatch(/^HTTP\/1\.1 101 /)
  expect(answer.toLowerCase()).not.toMatch(/sec-websocket-(protocol|extensions)/)
})

test('[HTTP62] half a character in terminal input, and keys without number, are refused', async () => {
  const server = await startTestServer()
  const { id } = server.hosts.session()
  const tab = await openTab(server)
  const keys = Array.from({ length: 100 }, (_, at) => `"k${at}":1`).join(',')
  for (const [message, why] of [
    [`{"type":"input","session":"${id}","data":"\\ud800"}`, 'half a surrogate pair'],
    [`{"type":"ping",${keys}}`, 'more than 64 keys'],
  ] as const) {
    tab.frames.length = 0
    tab.socket.send(message)
    expect(await tab.until(isRefused)).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(why),
    })
  }
})
