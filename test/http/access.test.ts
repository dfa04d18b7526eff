import { expect, test } from 'vitest'
import {
  errorOf,
  openEvents,
  openSocket,
  raw,
  startTestServer,
  type TestServer,
} from './support.ts'

/** Each line ends the connection after one answer, so that `raw` returns. */
function request(
  server: TestServer,
  { head = 'GET /v1/sessions', ...headers }: Record<string, string>,
) {
  const all: Record<string, string> = {
    Host: `127.0.0.1:${server.port}`,
    Authorization: `Bearer ${server.token}`,
    Connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return raw(server, `${head} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

test('[HTTP1] without the token in its header a request gets 401 and changes nothing', async () => {
  const server = await startTestServer()
  const good = server.token
  const attempts: [string, Record<string, string>][] = [
    ['', {}],
    ['', { authorization: 'Bearer' }],
    ['', { authorization: `Bearer ${good.slice(1)}b` }],
    ['', { authorization: `Bearer ${good}x` }],
    ['', { authorization: `Basic ${good}` }],
    ['', { authorization: good }],
    ['', { cookie: `token=${good}; Authorization=Bearer ${good}` }],
    [`?token=${good}&access_token=${good}&authorization=Bearer%20${good}`, {}],
  ]
  for (const [query, headers] of attempts) {
    const response = await fetch(`${server.url}/v1/sessions${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ workspace: '/w' }),
    })
    expect(await errorOf(response)).toEqual([401, 'unauthorized'])
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  }
  expect(server.hosts.count()).toBe(0)
  expect((await server.call('/v1/sessions', { json: { workspace: '/w' } })).status).toBe(201)
})

test('[HTTP1] two Authorization headers are no token', async () => {
  const server = await startTestServer()
  const good = `Bearer ${server.token}`
  expect(statusOf(await request(server, { Authorization: good }))).toBe(200)
  for (const twice of [`x\r\nAuthorization: ${good}`, `${good}\r\nAuthorization: x`]) {
    expect(statusOf(await request(server, { Authorization: twice }))).toBe(401)
  }
})

test('[HTTP2] a request under a name that is not ours is refused, though it came to our port', async () => {
  const server = await startTestServer()
  const { port } = server
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `LOCALHOST:${port}`,
    `[::1]:${port}`,
  ]) {
    expect([host, statusOf(await request(server, { Host: host }))]).toEqual([host, 200])
  }
  const others = [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.1:${port}.evil.example`,
    `user@127.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `LOCALHOST.:${port}`,
  ]
  for (const host of others) {
    expect([host, statusOf(await request(server, { Host: host }))]).toEqual([host, 403])
  }
})

test('[HTTP2] a page of any other origin is refused, on whatever port it is', async () => {
  const server = await startTestServer()
  const { port } = server
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    expect([origin, (await server.call('/v1/sessions', { headers: { origin } })).status]).toEqual([
      origin,
      200,
    ])
  }
  const others = [
    'https://evil.example',
    'null',
    'http://localhost:3000',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://evil.example:${port}`,
    'http://127.0.0.1',
  ]
  for (const origin of others) {
    const response = await server.call('/v1/exchange', {
      headers: { origin },
      json: { secret: 'x' },
    })
    expect([origin, ...(await errorOf(response))]).toEqual([origin, 403, 'forbidden'])
  }
})

test('[HTTP2] a browser that says the request comes from another site is refused', async () => {
  const server = await startTestServer()
  for (const [site, status] of [
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['anything', 403],
  ] as const) {
    expect([site, statusOf(await request(server, { 'Sec-Fetch-Site': site }))]).toEqual([
      site,
      status,
    ])
  }
})

test('[HTTP1] the WebSocket upgrade passes the same gate', async () => {
  const server = await startTestServer()
  const upgrade = (headers: Record<string, string>, head = 'GET /v1/socket') =>
    request(server, {
      head,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      ...headers,
    }).then(statusOf)
  expect(await upgrade({ Origin: 'https://evil.example' })).toBe(403)
  expect(await upgrade({ Origin: 'http://localhost:3000' })).toBe(403)
  expect(await upgrade({ Host: `evil.example:${server.port}` })).toBe(403)
  expect(await upgrade({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  expect(await upgrade({}, 'GET /v1/sessions')).toBe(400)
  expect(await upgrade({ Upgrade: 'h2c' })).toBe(400)
  expect(await upgrade({ 'Sec-WebSocket-Key': 'short' })).toBe(400)
  const tab = openSocket(server, { origin: `http://localhost:${server.port}` })
  await tab.opened
})

test('[HTTP2] no answer carries a CORS header, to a preflight neither', async () => {
  const server = await startTestServer()
  const origin = `http://localhost:${server.port}`
  const answers = [
    await server.call('/v1/sessions', { headers: { origin } }),
    await server.call('/v1/sessions', { headers: { origin: 'https://evil.example' } }),
    await server.call('/nothing', { headers: { origin } }),
    await server.call('/', { headers: { origin } }),
    await server.call('/v1/sessions', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
        'access-control-request-private-network': 'true',
      },
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 404, 200, 405])
  for (const { headers } of answers) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test('[HTTP7] every answer carries the safety headers, the refused and the streamed ones too', async () => {
  const server = await startTestServer()
  const { id } = server.hosts.session()
  const answers = [
    await server.call('/v1/sessions'),
    await server.call('/v1/sessions', { headers: { authorization: '' } }),
    await server.call('/v1/sessions', { headers: { origin: 'null' } }),
    await server.call('/nothing'),
    await server.call('/openapi.json'),
    (await openEvents(server, `/v1/sessions/${id}/events`)).response,
    await server.call('/'),
  ]
  for (const { headers } of answers) {
    expect({
      nosniff: headers.get('x-content-type-options'),
      referrer: headers.get('referrer-policy'),
      opener: headers.get('cross-origin-opener-policy'),
      resource: headers.get('cross-origin-resource-policy'),
      cache: headers.get('cache-control'),
    }).toEqual({
      nosniff: 'nosniff',
      referrer: 'no-referrer',
      opener: 'same-origin',
      resource: 'same-origin',
      cache: 'no-store',
    })
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  for (const text of [
    await raw(server, 'nonsense\r\n\r\n'),
    await request(server, { Connection: 'Upgrade', Upgrade: 'websocket' }),
  ]) {
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('x-content-type-options: nosniff')
    expect(text).toContain('cache-control: no-store')
  }
})

test('[HTTP7] the front page explains itself and holds no token', async () => {
  const server = await startTestServer()
  const response = await fetch(server.url)
  const text = await response.text()
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toContain(`curl -H "Authorization: Bearer $token" ${server.url}/v1/sessions`)
  expect(text).not.toContain(server.token)
})
