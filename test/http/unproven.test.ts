import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSocket, ticketFrom } from '../../src/client/socket/socket.ts'
import { type Access, provenAccess, tokenAccess } from '../../src/client/wire/access.ts'
import { connect } from '../../src/client/wire/connect.ts'
import type { Route } from '../../src/protocol/http/route.ts'
import { clientHeader, routes } from '../../src/protocol/http/routes.ts'
import { createCaller } from '../../src/client/wire/call.ts'
import { nonce, testKey } from '../support/browser-key.ts'

const url = 'http://127.0.0.1:4'
const token = 'the-token-of-a-server-that-is-not-there-any-more'
const browser = '6f1f2c53-8a8e-4e0c-9d5a-0d3b1c3f6a11'
const session = '01900000-0000-7000-8000-000000000001'
const secretWord = 'a private word'

/** A program that took the port: it answers anything, or nothing, and keeps what it hears. */
function strangerOf(answers: readonly Answer[]) {
  const heard: { target: string; init: RequestInit }[] = []
  const asked: typeof fetch = async (input, init = {}) => {
    const answer = answers[heard.length % answers.length]
    heard.push({ target: input instanceof Request ? input.url : new URL(input).href, init })
    if (answer === undefined || answer === 'nothing') throw new TypeError('fetch failed')
    return new Response(answer.status === 204 ? null : answer.body, { status: answer.status })
  }
  return { heard, asked }
}

type Answer = 'nothing' | { status: number; body: string }

const word = fc.oneof(fc.constant('x'.repeat(43)), fc.constantFrom(nonce(), token, ''), fc.string())
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constant('nothing' as const),
  fc.record({
    status: fc.constantFrom(200, 200, 200, 201, 202, 204, 400, 401, 403, 500),
    body: fc.oneof(
      fc.json(),
      fc
        .record({ nonce: word, proof: word, pass: word, ticket: word })
        .map((said) => JSON.stringify(said)),
      fc.constant(JSON.stringify({ error: { code: 'unauthorized', message: 'no' } })),
    ),
  }),
)

const accesses: Readonly<Record<string, (asked: typeof fetch) => Access>> = {
  'the token': (asked) => tokenAccess({ url, token, fetch: asked }),
  'a browser’s key': (asked) =>
    provenAccess(
      { url, fetch: asked, name: 'web' },
      // A signature of the server that this browser knows cannot be made by another.
      { browser, isServers: async () => false, sign: async (words) => testKey().sign(words) },
    ),
}

/** Everything that a client may want of a server, with a word in each place that takes one. */
function wishes(client: ReturnType<typeof connect>): readonly (() => Promise<unknown>)[] {
  const params = { id: session, team: secretWord, run: secretWord, name: secretWord }
  const input = { params, query: { q: secretWord }, body: { text: secretWord } }
  const signal = new AbortController().signal
  return [
    ...Object.values<Route>(routes)
      .filter(({ access }) => access !== 'open')
      .map((route) => () => client.document(route, input)),
    () => client.send(session, { text: secretWord }),
    () => client.runShell(secretWord, { command: secretWord }),
    () => client.bytes(routes.runBytes, input),
    () => client.follow({ session, after: 0, signal, attempts: 2, onFrames() {} }),
  ]
}

test.each(Object.entries(accesses))(
  '[ACCESS1] ∀ whatever a stranger answers, a client with %s says hello with a new nonce and nothing else',
  async (_, accessOf) => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
        const { heard, asked } = strangerOf(answers)
        const options = { url, access: accessOf(asked), fetch: asked, newKey: () => secretWord }
        const client = connect({ ...options, name: 'web', wait: async () => {} })
        for (const wish of wishes(client)) await expect(wish()).rejects.toThrow()
        const nonces = heard.map((one) => expectHello(one))
        expect(nonces.length).toBeGreaterThan(Object.keys(routes).length / 2)
        expect(new Set(nonces).size).toBe(nonces.length)
      }),
      { numRuns: 30 },
    )
  },
)

/** The nonce of a request that says nothing else. */
function expectHello({ target, init }: { target: string; init: RequestInit }): unknown {
  expect([init.method, target]).toEqual(['POST', `${url}/v1/hello`])
  const known = { 'content-type': 'application/json', [clientHeader]: 'web' }
  expect(Object.entries(known)).toEqual(
    expect.arrayContaining(Object.entries(Object(init.headers))),
  )
  expect(init.redirect).toBe('error')
  const said = typeof init.body === 'string' ? init.body : '{}'
  const { nonce: own, ...rest } = routes.hello.body.parse(JSON.parse(said))
  expect([{}, { browser }]).toContainEqual(rest)
  return own
}

test('[ACCESS1] no socket is opened before the server has proved itself', async () => {
  const { heard, asked } = strangerOf([
    { status: 200, body: JSON.stringify({ nonce: nonce(), proof: nonce(), ticket: 't' }) },
  ])
  let opened = 0
  const access = tokenAccess({ url, token, fetch: asked })
  const caller = createCaller({ url, access, fetch: asked, newKey: () => 'key' })
  const socket = createSocket({
    url,
    ticket: ticketFrom(caller),
    open() {
      opened += 1
      throw new Error('opened')
    },
  })
  await new Promise<void>((resolve) => socket.subscribe(resolve))
  expect([socket.getState(), opened]).toEqual(['unauthorized', 0])
  socket.close()
  expect(heard.map((one) => expectHello(one))).toHaveLength(1)
})
