import { createHmac, createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, tokenAccess } from '../../src/client/wire/access.ts'
import { ClientError } from '../../src/client/wire/client-error.ts'
import { connect } from '../../src/client/wire/connect.ts'
import { wordsOf } from '../../src/protocol/http/handshake.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { createPasses } from '../../src/server/access/passes.ts'
import { nonce, post, testKey, wordsAt } from '../support/browser-key.ts'
import { bodyOf, errorOf, startTestServer, testAccess, type TestServer } from './support.ts'

const connected = (url: string, token: string) =>
  connect({ url, token, fetch, newKey: () => 'key' })

async function signedIn(server: TestServer) {
  const pair = testKey()
  const secret = new URL(server.startUrl()).hash.replace('#secret=', '')
  const body = { secret, key: pair.key, name: 'Test 1.0' }
  const answer = await post(server.url, '/v1/exchange', body)
  return { ...pair, ...(await bodyOf(answer, routes.exchange.answer)) }
}

/** A whole handshake of a browser; every part can be bent. */
async function passOf(
  server: TestServer,
  { browser, sign }: { browser: string; sign: (words: string) => string },
  bend: (words: string) => string = (words) => words,
): Promise<Response> {
  const client = nonce()
  const hello = await post(server.url, '/v1/hello', { nonce: client, browser })
  if (hello.status !== 200) return hello
  const { nonce: own } = await bodyOf(hello, routes.hello.answer)
  const words = wordsAt(server.url, 'client', { browser, client, server: own })
  return post(server.url, '/v1/passes', { nonce: own, proof: sign(bend(words)) })
}

/** Our clients ask by address. */
const urlOf = (input: Parameters<typeof fetch>[0]) =>
  input instanceof Request ? input.url : new URL(input).href

const withPass = (server: TestServer, pass: string) =>
  server.call('/v1/health', { headers: { authorization: `Bearer ${pass}` } })

test('[ACCESS1] who knows the token gets a pass without ever sending it', async () => {
  const server = await startTestServer()
  const sent: string[] = []
  const watching: typeof fetch = (input, init) => {
    sent.push(JSON.stringify([urlOf(input), init?.headers, init?.body]))
    return fetch(input, init)
  }
  const client = connect({
    url: server.url,
    token: server.token,
    fetch: watching,
    newKey: () => 'key',
  })
  expect((await client.call(routes.health, {})).version).toBe('1.2.3')
  expect((await client.call(routes.health, {})).version).toBe('1.2.3')
  expect(sent).toHaveLength(4)
  expect(sent.join()).not.toContain(server.token)
})

test('[ACCESS1] a program that does not know the token is told nothing but a nonce', async () => {
  const heard: { path: string; headers: string; body: string }[] = []
  const stranger = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      heard.push({ path: request.url ?? '', headers: JSON.stringify(request.headers), body })
      // It says what a server says, and cannot say it right.
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ nonce: nonce(), proof: nonce(), pass: 'x', version: '1' }))
    })
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  const address = stranger.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  const token = 't'.repeat(43)
  const client = connected(`http://127.0.0.1:${address.port}`, token)
  const session = '01900000-0000-7000-8000-000000000001'
  for (const attempt of [
    () => client.call(routes.health, {}),
    () => client.send(session, { text: 'a private word' }),
    () => client.follow({ session, after: 0, signal: new AbortController().signal, onFrames() {} }),
  ]) {
    const error = await attempt().then(
      () => null,
      (caught: unknown) => caught,
    )
    expect(error).toBeInstanceOf(ClientError)
    expect(error instanceof ClientError && error.fault).toEqual({ kind: 'stranger' })
  }
  expect(heard.map(({ path }) => path)).toEqual(['/v1/hello', '/v1/hello', '/v1/hello'])
  const said = JSON.stringify(heard)
  expect(said).not.toContain(token)
  expect(said).not.toContain('a private word')
  expect(said).not.toContain('authorization')
})

test('[ACCESS1] ∀ a proof counts for its own words alone: speaker, version, port, browser and both nonces', () => {
  const text = fc.string({ minLength: 43, maxLength: 43 })
  const handshake = fc.record({
    protocol: fc.nat(9),
    port: fc.nat(65_535),
    browser: fc.option(fc.uuid()),
    client: text.filter((said) => !said.includes('\n')),
    server: text.filter((said) => !said.includes('\n')),
  })
  const speaker = fc.constantFrom('client' as const, 'server' as const)
  fc.assert(
    fc.property(speaker, handshake, speaker, handshake, (one, first, other, second) => {
      const isSame = one === other && JSON.stringify(first) === JSON.stringify(second)
      expect(wordsOf(one, first) === wordsOf(other, second)).toBe(isSame)
    }),
  )
})

test('[ACCESS1] a proof that another server gave for its own port is none', async () => {
  const [real, relay] = [await startTestServer(), await startTestServer()]
  const passing: typeof fetch = (input, init) =>
    fetch(urlOf(input).replace(relay.url, real.url), init)
  const client = connect({
    url: relay.url,
    token: real.token,
    fetch: passing,
    newKey: () => 'key',
  })
  const error = await client.call(routes.health, {}).catch((caught: unknown) => caught)
  expect(error instanceof ClientError && error.fault).toEqual({ kind: 'stranger' })
})

test('[ACCESS2] a handshake is good once and for thirty seconds; a wrong proof ends it', async () => {
  const server = await startTestServer()
  const mac = (words: string) =>
    createHmac('sha256', server.token).update(words).digest('base64url')
  async function begin() {
    const client = nonce()
    const hello = await post(server.url, '/v1/hello', { nonce: client })
    const { nonce: own, proof } = await bodyOf(hello, routes.hello.answer)
    const said = { browser: null, client, server: own }
    expect(proof).toBe(mac(wordsAt(server.url, 'server', said)))
    return { nonce: own, proof: mac(wordsAt(server.url, 'client', said)) }
  }
  const right = await begin()
  expect((await post(server.url, '/v1/passes', right)).status).toBe(201)
  expect(await errorOf(await post(server.url, '/v1/passes', right))).toEqual([401, 'unauthorized'])
  const bent = await begin()
  const wrong = { ...bent, proof: mac('other words') }
  expect((await post(server.url, '/v1/passes', wrong)).status).toBe(401)
  expect((await post(server.url, '/v1/passes', bent)).status).toBe(401)
  const late = await begin()
  server.pass(30_000)
  expect((await post(server.url, '/v1/passes', late)).status).toBe(401)
  // Its own words, given back.
  const client = nonce()
  const hello = await post(server.url, '/v1/hello', { nonce: client })
  expect(
    (await post(server.url, '/v1/passes', await bodyOf(hello, routes.hello.answer))).status,
  ).toBe(401)
})

test('[ACCESS2] a pass opens what the token opens, and goes with it', async () => {
  const server = await startTestServer()
  const access = tokenAccess({ url: server.url, token: server.token, fetch })
  const { authorization = '' } = await access.headers()
  const pass = authorization.replace('Bearer ', '')
  expect((await withPass(server, pass)).status).toBe(200)
  await server.call('/v1/token', { method: 'POST' })
  expect((await withPass(server, pass)).status).toBe(401)
})

test('[ACCESS2] at most a thousand passes are alive, the newest ones', async () => {
  const access = await testAccess()
  const passes = createPasses({ ...access, port: () => 1, now: () => 0 })
  function get(): string {
    const client = nonce()
    const hello = passes.hello({ nonce: client })
    if (!hello.ok) throw new Error(hello.error.message)
    const { nonce: server } = hello.value
    const words = wordsAt('http://127.0.0.1:1', 'client', { browser: null, client, server })
    const proof = createHmac('sha256', access.token.current()).update(words).digest('base64url')
    const got = passes.admit({ nonce: server, proof })
    if (!got.ok) throw new Error(got.error.message)
    return got.value.pass
  }
  const all = Array.from({ length: 1_001 }, get)
  expect(all.map(passes.isGood)).toEqual(all.map((_, at) => at > 0))
})

test('[ACCESS2] a client whose pass is gone gets another one without being asked', async () => {
  const server = await startTestServer()
  const client = connected(server.url, server.token)
  await client.call(routes.health, {})
  server.pass(24 * 3600_000)
  expect((await client.call(routes.health, {})).version).toBe('1.2.3')
  // Another word than a pass is not renewed.
  const fixed = connect({ url: server.url, access: bearer('no'), fetch, newKey: () => 'key' })
  await expect(fixed.call(routes.health, {})).rejects.toThrow('send the token')
})

test('[ACCESS3] a browser is signed in by a start address, comes back by its key, and is signed out', async () => {
  const server = await startTestServer()
  const browser = await signedIn(server)
  const client = nonce()
  const hello = await post(server.url, '/v1/hello', { nonce: client, browser: browser.browser })
  const { nonce: own, proof } = await bodyOf(hello, routes.hello.answer)
  const key = createPublicKey({
    key: Buffer.from(browser.server, 'base64url'),
    format: 'der',
    type: 'spki',
  })
  const words = wordsAt(server.url, 'server', { browser: browser.browser, client, server: own })
  const signature = Buffer.from(proof, 'base64url')
  expect(verify('sha256', Buffer.from(words), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
    true,
  )

  const { pass } = await bodyOf(await passOf(server, browser), routes.pass.answer)
  expect((await withPass(server, pass)).status).toBe(200)
  const { browsers } = await bodyOf(await server.call('/v1/browsers'), routes.browsers.answer)
  expect(browsers).toMatchObject([{ id: browser.browser, name: 'Test 1.0', port: server.port }])
  expect(JSON.stringify(browsers)).not.toContain(browser.key)
  // Replacing the token leaves browsers alone.
  await server.call('/v1/token', { method: 'POST' })
  expect((await withPass(server, pass)).status).toBe(200)

  const out = `/v1/browsers/${browser.browser}`
  const as = { authorization: `Bearer ${pass}` }
  expect((await server.call(out, { method: 'DELETE', headers: as })).status).toBe(200)
  expect((await withPass(server, pass)).status).toBe(401)
  expect((await passOf(server, browser)).status).toBe(401)
})

test('[ACCESS3] another key, other words and another browser’s name get nothing', async () => {
  const server = await startTestServer()
  const [one, other] = [await signedIn(server), await signedIn(server)]
  for (const [who, bend] of [
    [{ browser: one.browser, sign: other.sign }, undefined],
    [one, (words: string) => words.replace(String(server.port), '1')],
    [one, (words: string) => words.replace('client', 'server')],
    [{ browser: '01900000-0000-4000-8000-000000000001', sign: one.sign }, undefined],
  ] as const)
    expect((await passOf(server, who, bend)).status).toBe(401)
  const secret = () => new URL(server.startUrl()).hash.replace('#secret=', '')
  for (const key of ['', 'x'.repeat(120), one.key.slice(0, -8)])
    expect(
      (await post(server.url, '/v1/exchange', { secret: secret(), key, name: 'x' })).status,
    ).toBe(400)
})
