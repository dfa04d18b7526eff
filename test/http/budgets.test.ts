import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { ErrorBody } from '../../src/protocol/http/refusal.ts'
import { bodyBytesOf, type Route } from '../../src/protocol/http/route.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { limits } from '../../src/protocol/limits.ts'
import { gatherBytes, countMembers } from '../../src/server/http/read-json.ts'
import { bodyOf, raw, startTestServer, type TestServer } from './support.ts'

const kib = 1024
const headers = { 'content-type': 'application/json' }

const known: Readonly<Record<string, string>> = {
  ':team': 'default',
  ':run': 'r',
  ':name': 'n',
}

/** An address of the route; ids are of the right shape. */
function placeOf(route: Route, session: string): string {
  if (route === routes.moveTask) return '/teams/default/tasks/T0042'
  if (route === routes.removeRule) return route.path.replace(/:\w+/, 'rule-0a1b2c3d')
  return route.path.replaceAll(/:\w+/g, (name) => known[name] ?? session)
}

function keys(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
}

const changing: [string, Route][] = Object.entries<Route>(routes).filter(
  ([, { method }]) => method !== 'GET',
)

test('[HTTP96] no route reads more than its own body needs, a stranger’s least', async () => {
  const server = await startTestServer({ restMs: 5 })
  const to = `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n`
  for (const [name, route] of changing) {
    const path = placeOf(route, server.hosts.session().id)
    const head = `${route.method} ${path} HTTP/1.1\r\n${to}Content-Type: application/json\r\n`
    const answer = await raw(server, `${head}Content-Length: ${bodyBytesOf(route) + 1}\r\n\r\n{`)
    expect([name, answer.slice(9, 12)]).toEqual([name, '413'])
  }
  expect(new Set(changing.map(([, route]) => bodyBytesOf(route)))).toEqual(
    new Set([
      limits.tinyBodyBytes,
      limits.smallBodyBytes,
      limits.historyBodyBytes,
      limits.commandBodyBytes,
      limits.bodyBytes,
    ]),
  )
  for (const [name, route] of changing)
    if (route.access === 'open') expect([name, bodyBytesOf(route)]).toEqual([name, 1_024])
})

test('[HTTP96] no route shows a schema more keys or levels than a request can have', async () => {
  const server = await startTestServer()
  const nested = `{"a":${'['.repeat(400)}${']'.repeat(400)}}`
  for (const [name, route] of changing) {
    const path = placeOf(route, server.hosts.session().id)
    const messageOf = async (body: string) => {
      const answer = await server.call(path, { method: route.method, headers, body })
      return [name, (await bodyOf(answer, ErrorBody)).error.message]
    }
    expect(await messageOf(keys(65))).toEqual([name, 'the JSON has more than 64 keys'])
    expect(await messageOf(nested)).toEqual([name, 'the JSON is deeper than 16 levels'])
  }
})

test('[HTTP96] elements without number are refused before they are read one by one', async () => {
  const server = await startTestServer()
  const body = `{"messages":[${'1,'.repeat(400_000)}1]}`
  const response = await server.call('/api/agent', { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({
    error: { code: 'bad_request', message: 'the JSON has more than 8192 members and elements' },
  })
})

test('[HTTP96] only what stands outside of strings is counted, and never more than to the bound', () => {
  const looksLikeMany = JSON.stringify({ text: '{"a":1,"b":[2,3]}\\"'.repeat(10_000) })
  expect(countMembers(Buffer.from(looksLikeMany))).toEqual({ ok: true, value: 1 })
  const messages = Array.from({ length: 1_000 }, () => ({ role: 'user', content: 'a, b: "c" {[' }))
  expect(countMembers(Buffer.from(JSON.stringify({ messages })))).toEqual({
    ok: true,
    value: 2_001,
  })
  let read = 0
  const watched = new Proxy(Buffer.from(keys(100_000)), {
    get(bytes, at, self) {
      read += 1
      return Reflect.get(bytes, at, at === 'length' ? bytes : self) as unknown
    },
  })
  expect(countMembers(watched).ok).toBe(false)
  expect(read).toBeLessThan(5_000)
})

test('[HTTP96] a body in tiny pieces is copied to one place, and no piece is kept', () => {
  const gathered = gatherBytes(100_000)
  const source = Buffer.alloc(100_000, 'x')
  for (let at = 0; at < source.length; at += 1) gathered.take(source.subarray(at, at + 1))
  source.fill('y')
  expect(gathered.bytes().toString()).toBe('x'.repeat(100_000))
  expect(gathered.take(Buffer.from('x'))).toBe(false)
})

/** Sends until the server hangs up, and counts what it took. */
function flood(server: TestServer, head: string): Promise<{ sent: number; answer: string }> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    const chunk = Buffer.alloc(64 * kib, 0x20)
    let sent = 0
    let answer = ''
    const more = () => {
      while (sent < 200 * kib * kib && socket.writable && socket.write(chunk)) sent += chunk.length
      if (sent >= 200 * kib * kib) socket.destroy()
    }
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('error', () => {}).on('close', () => resolve({ sent, answer }))
    socket.on('drain', more)
    socket.write(head, more)
  })
}

test('[HTTP96] a body that is refused is not read on', async () => {
  const server = await startTestServer()
  const length = 200 * kib * kib
  const heads = [
    `POST /v1/exchange HTTP/1.1\r\nHost: 127.0.0.1:${server.port}`,
    `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}`,
    `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}`,
    `POST /v1/exchange HTTP/1.1\r\nHost: elsewhere.example`,
  ]
  for (const head of heads) {
    const { sent, answer } = await flood(
      server,
      `${head}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4(13|01|03) /)
    // Some of it is in the kernel's buffers.
    expect(sent).toBeLessThan(50 * kib * kib)
  }
})

test('[HTTP96] a hundred headers are read, and of more none is left out without a word', async () => {
  const server = await startTestServer()
  const ask = (count: number) => {
    const more = Array.from({ length: count - 3 }, (_, at) => `X${at}: 1\r\n`).join('')
    const to = `Host: 127.0.0.1:${server.port}\r\nConnection: close\r\n`
    return raw(
      server,
      `GET /v1/health HTTP/1.1\r\n${to}${more}Authorization: Bearer ${server.token}\r\n\r\n`,
    )
  }
  expect(await ask(100)).toMatch(/^HTTP\/1\.1 200 /)
  for (const count of [101, 102, 2_100]) expect(await ask(count)).toMatch(/^HTTP\/1\.1 431 /)
})

async function open(server: TestServer, first = ''): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (first !== '') {
    socket.write(first)
    await once(socket, 'data')
  }
  return socket
}

const isClosed = (socket: Socket) => socket.closed || once(socket, 'close').then(() => true)

test('[HTTP96] of a full house the one that has been silent for longest leaves', async () => {
  const server = await startTestServer({ connections: 5 })
  const to = `Host: 127.0.0.1:${server.port}\r\n`
  const stranger = await open(server, `GET / HTTP/1.1\r\n${to}\r\n`)
  const silent: Socket[] = []
  for (let at = 0; at < 20; at += 1) silent.push(await open(server))
  const owner = await open(
    server,
    `GET /v1/health HTTP/1.1\r\n${to}Authorization: Bearer ${server.token}\r\n\r\n`,
  )
  expect(await isClosed(stranger)).toBe(true)
  for (const socket of silent.slice(0, 16)) expect(await isClosed(socket)).toBe(true)
  for (let at = 0; at < 10; at += 1) await open(server, `GET / HTTP/1.1\r\n${to}\r\n`)
  owner.write(`GET /v1/health HTTP/1.1\r\n${to}Authorization: Bearer ${server.token}\r\n\r\n`)
  const [answer] = (await once(owner, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
})
