import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { raw, startTestServer } from './support.ts'

test('[HTTP21] broken and smuggled framing gets 400 and the server lives on', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const to = `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n`
  const send = `POST /v1/sessions/${host.id}/abort HTTP/1.1\r\n${to}Content-Type: application/json\r\n`
  const requests: string[] = [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET\r\n\r\n',
    `GET /v1/sessions HTTP/9.9\r\n${to}\r\n`,
    `GET /v1/sessions HTTP/1.1\r\n${to}X\x00Y: 1\r\n\r\n`,
    `GET /v1/sessions HTTP/1.1\r\n${to}Host : 127.0.0.1\r\n\r\n`,
    `GET /v1/sessions HTTP/1.1\r\n${to}Host: evil.example\r\nConnection: close\r\n\r\n`,
    `GET /v1/sessions HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET http://127.0.0.1:${server.port}/v1/sessions HTTP/1.1\r\n${to}Connection: close\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${to}Connection: close\r\n\r\n`,
    `GET /v1\\sessions HTTP/1.1\r\n${to}Connection: close\r\n\r\n`,
    `${send}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${send}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `${send}Content-Length: -1\r\n\r\n{}`,
    `${send}Content-Length: +2\r\n\r\n{}`,
    `${send}Transfer-Encoding: xchunked\r\n\r\n{}`,
    `${send}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    `${send}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${send}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
    `${send} folded: header\r\nContent-Length: 2\r\n\r\n{}`,
  ]
  for (const request of requests) {
    const answer = await raw(server, request)
    expect([request, answer.slice(0, 12)]).toEqual([request, 'HTTP/1.1 400'])
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { code: 'bad_request' },
    })
    expect(answer).not.toContain(server.token)
  }
  expect(host.handled).toEqual([])
  expect((await server.call('/v1/health')).status).toBe(200)
  expect(server.diagnostics).toEqual([])
})

test('[HTTP21] nonsense that follows a request does not get into its answer', async () => {
  const server = await startTestServer()
  const { id } = server.hosts.session()
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let got = ''
    socket.on('data', (data) => (got += data.toString()))
    socket.once('data', () => socket.write('nonsense\r\n\r\n'))
    socket.on('close', () => resolve(got)).on('error', () => {})
    socket.write(
      `GET /v1/sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
        `Authorization: Bearer ${server.token}\r\n\r\n`,
    )
  })
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).not.toContain('HTTP/1.1 400')
})

test('[HTTP21] oversized headers and addresses are refused', async () => {
  const server = await startTestServer()
  const to = `Host: 127.0.0.1:${server.port}\r\nConnection: close\r\n`
  const big = await raw(server, `GET / HTTP/1.1\r\n${to}X: ${'x'.repeat(40_000)}\r\n\r\n`)
  expect(big).toMatch(/^HTTP\/1\.1 431 /)
  const long = await raw(server, `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\n${to}\r\n`)
  expect(long).toMatch(/^HTTP\/1\.1 414 /)
})
