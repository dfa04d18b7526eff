import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { routes } from '../../src/protocol/http/routes.ts'
import { SocketFrame, SocketRequest } from '../../src/protocol/stream/frame.ts'
import { inbox } from '../http/support.ts'
import { brokenBodies, spoilt } from './values.ts'
import { answerMs, expectClean, openWitness, type Witness } from './witness.ts'

type Kind = SocketRequest['type']

let witness: Witness
let good: Record<Kind, SocketRequest>
/** Well-formed, and refused all the same. */
let refused: readonly SocketRequest[]

beforeAll(async () => {
  witness = await openWitness()
  const session = witness.session.id
  const nobody = '01234567890123456789'
  const viewport = { rows: 24, cols: 80, visible: true }
  good = {
    ticket: { type: 'ticket', ticket: 'x'.repeat(43) },
    subscribe: { type: 'subscribe', session, after: 0 },
    unsubscribe: { type: 'unsubscribe', session },
    ping: { type: 'ping' },
    view: { type: 'view', session, from: 0, ...viewport },
    unview: { type: 'unview', session },
    input: { type: 'input', session, data: `touch '${witness.canary}'\r` },
    secret: { type: 'secret', session, data: `touch '${witness.canary}'\r` },
    viewport: { type: 'viewport', session, ...viewport },
    ack: { type: 'ack', session, offset: 0 },
  }
  refused = [
    good.ticket,
    good.unsubscribe,
    { type: 'subscribe', session: nobody, after: 0 },
    { type: 'subscribe', session, after: 999_999 },
    { type: 'view', session: nobody, ...viewport },
    good.unview,
    // Nobody types into a terminal that it does not see.
    good.input,
    // At a prompt nobody reads a secret.
    good.secret,
    good.viewport,
    good.ack,
  ]
})

afterAll(() => witness.close())

/** A socket that keeps what it is told. */
async function open() {
  const socket = new WebSocket(`${witness.server.url.replace('http', 'ws')}/v1/socket`)
  const frames = inbox<SocketFrame>()
  socket.on('message', (data: Buffer) => frames.put(SocketFrame.parse(JSON.parse(data.toString()))))
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) =>
    socket.on('close', (code) => {
      frames.close()
      resolve(code)
    }),
  )
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { socket, frames, closed }
}

async function openAdmitted() {
  const tab = await open()
  const { ticket } = await witness.server.client.call(routes.ticket, {})
  tab.socket.send(JSON.stringify({ type: 'ticket', ticket }))
  await tab.frames.until(({ type }) => type === 'ready')
  return { ...tab, ticket }
}

/** Every message that is not one of ours, by its kind. */
function wrongMessages(): readonly (string | Buffer)[] {
  const kinds = Object.values(good)
  return [
    ...kinds.flatMap((request) => spoilt(request, SocketRequest)),
    ...brokenBodies.filter((body) => body.length < 60_000),
    '',
    '{"type":"surprise"}',
    '{"type":["ping"]}',
    '{"type":"__proto__"}',
  ].filter((message) => message.length < 60_000)
}

test('[BAD7] every kind of socket request has its row', () => {
  const kinds = SocketRequest.options.map(({ shape }) => shape.type.value)
  expect(Object.keys(good).sort()).toEqual([...kinds].sort())
  for (const [kind, request] of Object.entries(good))
    expect(SocketRequest.safeParse(request).success, kind).toBe(true)
})

test('[BAD7] before its ticket a socket gets nothing but its end, whatever it says', async () => {
  const { ticket } = await openAdmitted()
  const first = [
    ...Object.values(good).map((request) => JSON.stringify(request)),
    // A ticket counts once.
    JSON.stringify({ type: 'ticket', ticket }),
    '{"type":"ticket","ticket":7}',
    '{"type":"ticket","ticket":"","ticket":"__proto__"}',
    'not JSON',
    '',
  ]
  const codes = await Promise.all(
    [...first, Buffer.from(first[0] ?? '')].map(async (message) => {
      const { socket, frames, closed } = await open()
      socket.send(message)
      // What follows is not looked at.
      socket.send(JSON.stringify(good.input))
      expect([await closed, frames.items]).toEqual([1008, []])
    }),
  )
  expect(codes).toHaveLength(first.length + 1)
  await witness.check('before the ticket')
})

test('[BAD7] a wrong message is refused in a clean sentence, and the socket goes on', async () => {
  const { socket, frames } = await openAdmitted()
  const wrong = wrongMessages()
  for (const message of wrong) socket.send(message)
  for (const message of refused) socket.send(JSON.stringify(message))
  for (const message of Object.values(good)) socket.send(Buffer.from(JSON.stringify(message)))
  const all = wrong.length + refused.length + Object.values(good).length
  const answers = () => frames.items.filter(({ type }) => type === 'refused')
  await frames.until(() => answers().length >= all)
  socket.send('{"type":"ping"}')
  await frames.until(({ type }) => type === 'pong')
  expect(frames.items.map(({ type }) => type).filter((type) => type !== 'refused')).toEqual([
    'ready',
    'pong',
  ])
  for (const frame of answers())
    expectClean(JSON.stringify(frame), witness.server, 'a refused frame')
  socket.terminate()
  await witness.check('wrong messages')
})

test('[BAD7] what is no message ends its own socket and no other', async () => {
  const other = await openAdmitted()
  const attempts: readonly ((socket: WebSocket) => void)[] = [
    (socket) => socket.send('x'.repeat(100_000)),
    (socket) => socket.send(Buffer.alloc(1024 * 1024)),
    (socket) => {
      for (let n = 0; n < 200; n += 1) socket.send('x'.repeat(1_000), { fin: false })
      socket.send('', { fin: true })
    },
  ]
  for (const attempt of attempts) {
    const { socket, closed } = await openAdmitted()
    attempt(socket)
    expect(await closed).toBeGreaterThan(1000)
  }
  other.socket.send('{"type":"ping"}')
  await other.frames.until(({ type }) => type === 'pong')
  other.socket.terminate()
  await witness.check('no messages')
})

test('[BAD7] a request in pieces is one request', async () => {
  const { socket, frames } = await openAdmitted()
  for (const piece of ['{"ty', 'pe":"pi']) socket.send(piece, { fin: false })
  socket.send('ng"}', { fin: true })
  await frames.until(({ type }) => type === 'pong')
  socket.terminate()
  await witness.check('pieces')
})

test('[BAD7] any JSON on a socket is refused and does no harm', async () => {
  const { socket, frames } = await openAdmitted()
  const anything = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc
      .record({ type: fc.constantFrom(...Object.keys(good)), session: fc.string() })
      .map((value) => JSON.stringify(value)),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (message) => {
      fc.pre(!SocketRequest.safeParse(JSON.parse(message)).success)
      const before = frames.items.length
      socket.send(message)
      await frames.until(() => frames.items.length > before)
      expect(frames.items.at(-1)).toMatchObject({ type: 'refused', code: 'bad_request' })
    }),
    { numRuns: 200, interruptAfterTimeLimit: answerMs },
  )
  socket.terminate()
  await witness.check('any JSON')
})
