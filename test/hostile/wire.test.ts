import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody } from '../../src/protocol/http/refusal.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { answerMs, expectClean, openWitness, type Witness } from './witness.ts'

let witness: Witness
let to: string

beforeAll(async () => {
  witness = await openWitness()
  const { server } = witness
  to = `Host: ${new URL(server.url).host}\r\nAuthorization: Bearer ${server.token}\r\n`
})

afterAll(() => witness.close())

function dial(): Socket {
  const { hostname, port } = new URL(witness.server.url)
  return connect(Number(port), hostname)
}

/** Everything that comes back until the server closes the connection. */
function say(bytes: string, then: (socket: Socket) => void = () => {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = dial()
    const late = setTimeout(() => socket.destroy(new Error('not closed')), answerMs)
    const answer: Buffer[] = []
    socket.on('data', (data) => answer.push(data))
    socket.on('error', (error) => (answer.length === 0 ? reject(error) : undefined))
    socket.on('close', () => {
      clearTimeout(late)
      resolve(Buffer.concat(answer))
    })
    socket.write(Buffer.from(bytes, 'latin1'))
    then(socket)
  })
}

const statusesOf = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

const close = 'Connection: close\r\n'
const json = 'Content-Type: application/json\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'

/** Requests that a parser may read in two ways, or that ask for what is not there: the statuses that come back. */
const requests: Readonly<Record<string, () => readonly [string, ...number[]]>> = {
  'a tunnel here': () => [`CONNECT 127.0.0.1:1 HTTP/1.1\r\n${to}\r\n`, 400],
  'a tunnel elsewhere': () => [
    `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    400,
  ],
  'HTTP/2 by its preface': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 400],
  'HTTP/2 by an upgrade': () => [
    `GET /v1/health HTTP/1.1\r\n${to}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    400,
  ],
  'no version': () => ['GET /v1/health\r\n\r\n', 400],
  'an absolute target': () => [
    `GET http://evil.example/v1/health HTTP/1.1\r\n${to}${close}\r\n`,
    400,
  ],
  'a target for a proxy': () => [`GET evil.example:80 HTTP/1.1\r\n${to}${close}\r\n`, 400],
  'a target that looks like a host': () => [
    `GET //evil.example/v1/health HTTP/1.1\r\n${to}${close}\r\n`,
    404,
  ],
  'bytes in the target': () => [`GET /v1/\xff\xfe HTTP/1.1\r\n${to}${close}\r\n`, 400],
  'a blank in the target': () => [`GET /v1/health x HTTP/1.1\r\n${to}${close}\r\n`, 400],
  'lines that end in LF': () => [`GET /v1/health HTTP/1.1\n${to}\n`, 400],
  'lines that end in CR': () => [`GET /v1/health HTTP/1.1\r${to}\r\r`, 400],
  'a CR in a header': () => [`GET /v1/health HTTP/1.1\r\n${to}X: a\rb\r\n\r\n`, 400],
  'a method of nobody': () => [`BREW /v1/health HTTP/1.1\r\n${to}${close}\r\n`, 400],
  'a body that is announced too large': () => [
    `POST /v1/sessions/${witness.session.id}/send HTTP/1.1\r\n${to}${json}${close}Expect: 100-continue\r\nContent-Length: 9999999\r\n\r\n`,
    413,
  ],
  'a chunk with long extensions': () => [
    `${send(chunked)}2;${'x'.repeat(200_000)}\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  'chunks that end in LF': () => [`${send(chunked)}2\n{}\n0\n\n`, 400],
  'long trailers': () => [`${send(chunked)}2\r\n{}\r\n0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  'two codings': () => [`${send('Transfer-Encoding: gzip, chunked\r\n')}${inChunks()}`, 415],
  'chunked twice': () => [`${send(chunked + chunked)}${inChunks()}`, 400],
  'no coding by name': () => [
    `${send('Transfer-Encoding: identity\r\nContent-Length: 2\r\n')}{}`,
    400,
  ],
  'two types': () => [`${send(`Content-Type: text/plain\r\n${chunked}`)}${inChunks()}`, 415],
  'one length twice': () => [`${send('Content-Length: 2\r\nContent-Length: 2\r\n')}{}`, 400],
  'lengths in a list': () => [`${send('Content-Length: 2, 2\r\n')}{}`, 400],
  'a length in hex': () => [`${send('Content-Length: 0x2\r\n')}{}`, 400],
  'a length beyond numbers': () => [`${send('Content-Length: 99999999999999999999\r\n')}{}`, 400],
  'a host with a name before it': () => [
    `GET /v1/health HTTP/1.1\r\n${to.replace('Host: ', 'Host: evil@')}${close}\r\n`,
    403,
  ],
  'a host that ends in a dot': () => [
    `GET /v1/health HTTP/1.1\r\n${to.replace('127.0.0.1', 'localhost.')}${close}\r\n`,
    403,
  ],
  'three in a row, one of them bad': () => [
    `GET /v1/health HTTP/1.1\r\n${to}\r\nGET /nothing HTTP/1.1\r\n${to}\r\nGET /v1/health HTTP/1.1\r\n${to}${close}\r\n`,
    200,
    404,
    200,
  ],
  'nonsense after a request': () => [
    `GET /v1/health HTTP/1.1\r\n${to}\r\nnonsense\r\n\r\n`,
    200,
    400,
  ],
  'nonsense after two requests': () => [
    `GET /v1/health HTTP/1.1\r\n${to}\r\nGET /nothing HTTP/1.1\r\n${to}\r\n${'nonsense\r\n\r\n'.repeat(10_000)}`,
    200,
    404,
    400,
  ],
  'a socket by POST': () => [upgrade('POST'), 400],
  'a socket of another version': () => [upgrade().replace('Version: 13', 'Version: 99'), 400],
  'a socket without a key': () => [upgrade().replace(/Sec-WebSocket-Key: \S+/, 'X: y'), 400],
}

/** The head of a request that would run a command, but for what is wrong with it. */
const send = (more: string) =>
  `POST /v1/sessions/${witness.session.id}/send HTTP/1.1\r\n${to}${json}${close}${more}\r\n`

function inChunks(): string {
  const body = JSON.stringify({ text: `!touch '${witness.canary}'` })
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

const upgrade = (method = 'GET') =>
  `${method} /v1/socket HTTP/1.1\r\n${to}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

test('[BAD7] requests that can be read in two ways are refused in a clean sentence each', async () => {
  for (const [name, request] of Object.entries(requests)) {
    const [bytes, ...statuses] = request()
    const answer = (await say(bytes)).toString('latin1')
    expect.soft([name, ...statusesOf(answer)]).toEqual([name, ...statuses])
    if (statuses.at(-1) === 200) continue
    const [, said = ''] = answer.slice(answer.lastIndexOf('HTTP/1.1')).split('\r\n\r\n', 2)
    expect.soft(ErrorBody.safeParse(JSON.parse(said)).success, `${name}: ${said}`).toBe(true)
    expectClean(said, witness.server, name)
  }
  await witness.check('odd requests')
})

/** A frame as a client sends it: masked with zeros, which changes nothing. */
function frame(first: number, payload: Buffer | string): Buffer {
  const data = Buffer.from(payload)
  const length =
    data.length < 126 ? [0x80 | data.length] : [0xfe, data.length >> 8, data.length & 255]
  return Buffer.concat([Buffer.from([first, ...length, 0, 0, 0, 0]), data])
}

const [text, ping, closing] = [0x81, 0x89, 0x88]
const asking = '{"type":"ping"}'

/** Bytes that are no frames of a client, and the codes that such a connection may end with. */
const frames: Readonly<Record<string, Buffer>> = {
  unmasked: Buffer.concat([Buffer.from([text, asking.length]), Buffer.from(asking)]),
  'packed, without an agreement': frame(text | 0x40, Buffer.alloc(100)),
  'with the second reserved bit': frame(text | 0x20, asking),
  'with the third reserved bit': frame(text | 0x10, asking),
  'of a kind that is reserved': frame(0x83, asking),
  'of a control kind that is reserved': frame(0x8b, asking),
  'a ping in pieces': frame(ping & 0x7f, asking),
  'a long ping': frame(ping, 'x'.repeat(200)),
  'the rest of nothing': frame(0x80, asking),
  'a beginning within another': Buffer.concat([frame(0x01, '{'), frame(text, asking)]),
  'half a close code': frame(closing, Buffer.from([3])),
  'a close code of nobody': frame(closing, Buffer.from([3, 0xed])),
  'a reason that is no text': frame(closing, Buffer.from([3, 0xe8, 0xff, 0xfe])),
  'no text': frame(text, Buffer.from([0xff, 0xfe])),
  'half a character': frame(text, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  'longer than memory': Buffer.from([
    text,
    0xff,
    0x7f,
    255,
    255,
    255,
    255,
    255,
    255,
    255,
    0,
    0,
    0,
    0,
  ]),
  'longer than allowed': Buffer.from([text, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
}

test('[BAD7] bytes that are no frames end their own socket, before and after its ticket', async () => {
  for (const [name, bytes] of Object.entries(frames)) {
    const { ticket } = await witness.server.client.call(routes.ticket, {})
    for (const first of [
      Buffer.alloc(0),
      frame(text, JSON.stringify({ type: 'ticket', ticket })),
    ]) {
      const answer = await say(upgrade(), (socket) => socket.write(Buffer.concat([first, bytes])))
      expect.soft(statusesOf(answer.toString('latin1')), name).toEqual([101])
      expect.soft(answer.includes('pong'), `${name}: obeyed`).toBe(false)
    }
  }
  await witness.check('odd frames')
})
