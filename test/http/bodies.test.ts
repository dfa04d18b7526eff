import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ErrorBody } from '../../src/protocol/http/refusal.ts'
import { bodyOf, errorOf, startTestServer, type TestServer } from './support.ts'

function post(server: TestServer, body: BodyInit, type: string | null = 'application/json') {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  return server.call('/v1/sessions', { method: 'POST', headers, body }).then(errorOf)
}

test('[HTTP10] a body that is not said to be JSON is refused with 415', async () => {
  const server = await startTestServer()
  const json = '{"workspace":"/w"}'
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonx',
    'text/plain; application/json',
  ]) {
    expect([type, ...(await post(server, json, type))]).toEqual([
      type,
      415,
      'unsupported_media_type',
    ])
  }
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const response = await server.call('/v1/sessions', {
    method: 'POST',
    headers: packed,
    body: json,
  })
  expect(await errorOf(response)).toEqual([415, 'unsupported_media_type'])
  expect(server.hosts.count()).toBe(0)
  const good = { 'content-type': 'Application/JSON; charset="UTF-8"' }
  const made = await server.call('/v1/sessions', { method: 'POST', headers: good, body: json })
  expect(made.status).toBe(201)
})

/** The first bytes of the answer to a request whose end never comes. */
function answerTo(server: TestServer, unfinished: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.once('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
    socket.write(
      `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
        `Authorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n${unfinished}`,
    )
  })
}

test('[HTTP10] a body over the limit gets 413 before it is sent', async () => {
  const server = await startTestServer({ bodyBytes: 1_000 })
  for (const expect100 of ['', 'Expect: 100-continue\r\n']) {
    const answer = await answerTo(server, `Content-Length: 1001\r\n${expect100}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"payload_too_large"')
  }
  const fits = await answerTo(server, 'Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n')
  expect(fits).toBe('HTTP/1.1 100 Continue\r\n\r\n')
})

test('[HTTP10] a body over the limit gets 413 also when its length was not announced', async () => {
  const server = await startTestServer({ bodyBytes: 1_000 })
  const chunk = `258\r\n${' '.repeat(600)}\r\n`
  const answer = await answerTo(server, `Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

test('[HTTP10] a body of exactly the limit is read, one byte more is not', async () => {
  const server = await startTestServer({ bodyBytes: 1_000 })
  const padded = (bytes: number) => '{"workspace":"/w"}'.padEnd(bytes)
  const create = (body: string) =>
    server.call('/v1/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  expect((await create(padded(1_000))).status).toBe(201)
  expect((await create(padded(1_001))).status).toBe(413)
})

test('[HTTP10] what is not UTF-8, not JSON or not of the right shape gets 400 and stores nothing', async () => {
  const server = await startTestServer()
  const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
    '{"workspace":',
    'workspace=/w',
    '[]',
    'null',
    '7',
    '{}',
    '{"workspace":7}',
    '{"workspace":null}',
    '{"workspace":""}',
    '{"workspace":"/w","team":"Not A Team"}',
    '{"workspace":"/w","approval":"yolo"}',
    '{"workspace":"/w","surprise":1}',
    '{"workspace":"\\ud800"}',
    // Twice the same key, however it is written.
    '{"workspace":"/w","workspace":"/"}',
    '{"workspace":"/w","work\\u0073pace":"/"}',
    '['.repeat(10_000),
    '['.repeat(10_000) + ']'.repeat(10_000),
    `${'['.repeat(10_000)}"\\ud83d\\ude00"${']'.repeat(10_000)}`,
    Buffer.from([...Buffer.from('{"workspace":"/'), 0xff, 0xfe, ...Buffer.from('"}')]),
    Buffer.from([...Buffer.from('{"workspace":"/'), 0xc0, 0xaf, ...Buffer.from('"}')]),
  ]
  for (const body of bodies) {
    expect([String(body).slice(0, 40), ...(await post(server, body))]).toEqual([
      String(body).slice(0, 40),
      400,
      'bad_request',
    ])
  }
  expect(server.hosts.count()).toBe(0)
})

test('[HTTP10] a whole surrogate pair and a written-out escape are text', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const text = '\u{1f600} and \\ud800'
  const body = `{"text":"\\ud83d\\ude00 and \\\\ud800"}`
  const headers = { 'content-type': 'application/json' }
  await server.call(`/v1/sessions/${host.id}/send`, { method: 'POST', headers, body })
  expect(host.handled.map(({ intent }) => intent)).toEqual([{ type: 'submit', text, as: 'auto' }])
})

test('[HTTP10] an error names what was wrong and stays short, however long the key', async () => {
  const server = await startTestServer()
  const json = { workspace: 7, ['k'.repeat(10_000)]: 1 }
  const response = await server.call('/v1/sessions', { json })
  const { error } = await bodyOf(response, ErrorBody)
  expect(error.message).toMatch(/^body\.workspace: /)
  expect(error.message.length).toBeLessThanOrEqual(500)
})

test('[HTTP10] bad query values get 400', async () => {
  const server = await startTestServer()
  const { id } = server.hosts.session()
  for (const query of [
    'limit=0',
    'limit=x',
    'limit=',
    'after=-1',
    'after=1&after=2',
    'after=1.5',
  ]) {
    const response = await server.call(`/v1/sessions/${id}/log?${query}`)
    expect([query, ...(await errorOf(response))]).toEqual([query, 400, 'bad_request'])
  }
  expect((await server.call(`/v1/sessions/${id}/log?limit=5&after=0`)).status).toBe(200)
})
