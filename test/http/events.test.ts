import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { say } from './scripted-hosts.ts'
import {
  errorOf,
  isLive,
  openEvents,
  startTestServer,
  type Stream,
  type TestServer,
} from './support.ts'

function eventsOf(stream: Stream): unknown[] {
  return stream.messages
    .filter(({ event }) => event === 'event')
    .map(({ data }) => JSON.parse(data))
}

const atSeq =
  (seq: number) =>
  ({ id }: { id?: string | undefined }) =>
    id === String(seq)

/** Asks for the stream and never reads it. */
function stall(server: TestServer, path: string): { isOver(): Promise<unknown> } {
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n` +
      `Authorization: Bearer ${server.token}\r\n\r\n`,
  )
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return {
    isOver() {
      socket.resume()
      return closed
    },
  }
}

test('[HTTP50] whoever resumes after any event gets the identical rest', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  for (let i = 0; i < 9; i += 1) say(host, `line ${i}\r\nand \u2028 more\n\ndata: x\nid: 99`)
  for (let after = 0; after <= 10; after += 1) {
    const stream = await openEvents(server, `/v1/sessions/${host.id}/events?after=${after}`)
    await stream.until(isLive)
    expect(eventsOf(stream)).toEqual(host.events.slice(after))
    stream.leave()
  }
})

test('[HTTP50] a client that is cut off and resumes misses nothing and gets nothing twice', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const path = `/v1/sessions/${host.id}/events`
  const seen: unknown[] = []
  for (let round = 0; round < 5; round += 1) {
    const headers: Record<string, string> =
      round === 0 ? {} : { 'last-event-id': String(seen.length) }
    const stream = await openEvents(server, path, headers)
    await stream.until(isLive)
    const { seq } = say(host, `during ${round}`)
    await stream.until(atSeq(seq))
    seen.push(...eventsOf(stream))
    stream.leave()
    await host.followedBy(0)
    say(host, `between ${round}`)
  }
  expect(seen).toEqual(host.events.slice(0, -1))
})

test('[HTTP50] only durable events carry an id, and each message says its kind', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  const delta = { type: 'message_delta', step: 1, offset: 0, text: 'two\nlines' } as const
  host.delta(delta)
  const event = say(host, 'done')
  await stream.until(atSeq(2))
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(stream.messages).toEqual([
    { id: '1', event: 'event', data: JSON.stringify(host.events[0]) },
    { id: undefined, event: 'live', data: '{"type":"live","head":1}' },
    { id: undefined, event: 'delta', data: JSON.stringify(delta) },
    { id: '2', event: 'event', data: JSON.stringify(event) },
  ])
})

test('[HTTP50] Last-Event-ID wins over the address', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  say(host, 'two')
  say(host, 'three')
  const path = `/v1/sessions/${host.id}/events?after=0`
  const stream = await openEvents(server, path, { 'last-event-id': '2' })
  await stream.until(isLive)
  expect(eventsOf(stream)).toEqual(host.events.slice(2))
})

test('[HTTP50] a place that is none, or lies beyond the log, gets 400', async () => {
  const server = await startTestServer()
  const { id } = server.hosts.session()
  const path = `/v1/sessions/${id}/events`
  for (const place of ['x', '-1', '1.0', '0x1', '1e0', '9'.repeat(30), '2', '1, 1']) {
    const response = await server.call(path, { headers: { 'last-event-id': place } })
    expect([place, ...(await errorOf(response))]).toEqual([place, 400, 'bad_request'])
  }
  expect(await errorOf(await server.call(`${path}?after=2`))).toEqual([400, 'bad_request'])
  expect(await errorOf(await server.call(`${path}?after=x`))).toEqual([400, 'bad_request'])
})

test('[HTTP53] a quiet stream has a heartbeat that is no event', async () => {
  const server = await startTestServer({ heartbeatMs: 5 })
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  expect(await stream.comment()).toBe('still here')
  expect(stream.messages).toHaveLength(2)
})

test('[HTTP53] a client that leaves is unsubscribed', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  expect(host.subscribers()).toBe(1)
  stream.leave()
  await host.followedBy(0)
})

test('[HTTP55] a reader that stalls is dropped, and the others see everything', async () => {
  const server = await startTestServer({ clientQueueBytes: 200_000, graceMs: 50 })
  const host = server.hosts.session()
  const path = `/v1/sessions/${host.id}/events`
  const reader = await openEvents(server, path)
  await reader.until(isLive)
  const stalled = stall(server, path)
  await host.followedBy(2)
  const text = 'x'.repeat(100_000)
  // Loopback buffers take megabytes before anything waits in the server.
  for (let i = 0; i < 1_000 && host.subscribers() === 2; i += 1) {
    await reader.until(atSeq(say(host, text).seq))
  }
  expect(host.subscribers()).toBe(1)
  const last = say(host, 'after the drop')
  await reader.until(atSeq(last.seq))
  expect(eventsOf(reader)).toEqual(host.events)
  // It is let go: what it had is still there to read, and then the connection is over.
  await stalled.isOver()
})

test('[HTTP55] a dropped reader that reads on is told why, and where to resume', async () => {
  const server = await startTestServer({ clientQueueBytes: 200_000 })
  const host = server.hosts.session()
  const path = `/v1/sessions/${host.id}/events`
  const reader = await openEvents(server, path)
  await reader.until(isLive)
  const text = 'x'.repeat(100_000)
  // In one go, so that nothing can leave the process meanwhile.
  for (let i = 0; i < 10; i += 1) say(host, text)
  await reader.ended
  expect(reader.messages.at(-1)).toEqual({
    id: undefined,
    event: 'closed',
    data: '{"type":"closed","reason":"slow"}',
  })
  const got = eventsOf(reader)
  expect(got.length).toBeLessThan(host.events.length)
  const resumed = await openEvents(server, `${path}?after=${got.length}`)
  await resumed.until(isLive)
  expect([...got, ...eventsOf(resumed)]).toEqual(host.events)
})

test('[HTTP55] a log far longer than the queue is replayed whole to whoever reads it', async () => {
  const server = await startTestServer({ clientQueueBytes: 100_000, replayBytes: 50_000 })
  const host = server.hosts.session()
  for (let i = 0; i < 500; i += 1) say(host, 'x'.repeat(40_000))
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  expect(eventsOf(stream)).toEqual(host.events)
})

test('[HTTP55] a replay that nobody reads is given up', async () => {
  const server = await startTestServer({ stallMs: 20, graceMs: 20 })
  const host = server.hosts.session()
  for (let i = 0; i < 300; i += 1) say(host, 'x'.repeat(100_000))
  server.pass(5)
  const stalled = stall(server, `/v1/sessions/${host.id}/events`)
  await expect.poll(() => server.idleSince(), { timeout: 10_000 }).toBe(5)
  await stalled.isOver()
  expect(host.subscribers()).toBe(0)
})

test('[HTTP53] the stream of a deleted session says so and ends', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  host.close('deleted')
  await stream.ended
  expect(stream.messages.at(-1)?.data).toBe('{"type":"closed","reason":"deleted"}')
})
