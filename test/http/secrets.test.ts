import { expect, test } from 'vitest'
import { protocolVersion, routes } from '../../src/protocol/http/routes.ts'
import { testKey } from '../support/browser-key.ts'
import { createOneTimeSecrets } from '../../src/server/access/secrets.ts'
import {
  bodyOf,
  errorOf,
  isLive,
  openEvents,
  openSocket,
  openTab,
  startTestServer,
  ticketOf,
  type TestServer,
} from './support.ts'

/** As a browser would: the secret from the address, and a key of its own. */
function exchange(server: TestServer, secret: string): Promise<Response> {
  return fetch(`${server.url}/v1/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ secret, key: testKey().key, name: 'Test 1.0' }),
  })
}

function secretOf(url: string): string {
  return new URL(url).hash.replace('#secret=', '')
}

test('[HTTP30] the secret of a start address signs a browser in once, and never shows the token', async () => {
  const server = await startTestServer()
  const made = await server.call('/v1/secrets', { method: 'POST' })
  const { secret, url } = await bodyOf(made, routes.secret.answer)
  expect([made.status, url]).toEqual([201, `${server.url}/#secret=${secret}`])
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  const answer = await (await exchange(server, secret)).text()
  expect(routes.exchange.answer.safeParse(JSON.parse(answer)).success).toBe(true)
  expect(answer).not.toContain(server.token)
  expect(await errorOf(await exchange(server, secret))).toEqual([401, 'unauthorized'])
  expect(await errorOf(await exchange(server, 'guess'))).toEqual([401, 'unauthorized'])
})

test('[HTTP30] only a caller with the token gets a new start address', async () => {
  const server = await startTestServer()
  const response = await fetch(`${server.url}/v1/secrets`, { method: 'POST' })
  expect(await errorOf(response)).toEqual([401, 'unauthorized'])
})

test('[HTTP30] a start address works for ten minutes', async () => {
  const server = await startTestServer()
  const early = secretOf(server.startUrl())
  const late = secretOf(server.startUrl())
  server.pass(10 * 60_000 - 1)
  expect((await exchange(server, early)).status).toBe(200)
  server.pass(1)
  expect((await exchange(server, late)).status).toBe(401)
})

test('[HTTP30] at most twenty start addresses are alive, the newest ones', async () => {
  const server = await startTestServer()
  const secrets = Array.from({ length: 21 }, () => secretOf(server.startUrl()))
  const statuses: number[] = []
  for (const secret of secrets) statuses.push((await exchange(server, secret)).status)
  expect(statuses).toEqual([401, ...Array.from({ length: 20 }, () => 200)])
})

test('[HTTP30] expired secrets make room before living ones have to', () => {
  let clock = 0
  const secrets = createOneTimeSecrets({ lifeMs: 10, most: 2, now: () => clock })
  const old = secrets.issue()
  clock = 9
  const young = secrets.issue()
  clock = 10
  const newest = secrets.issue()
  expect([old, young, newest].map((secret) => secrets.take(secret))).toEqual([false, true, true])
})

test('[HTTP30] a ticket opens one socket, within thirty seconds', async () => {
  const server = await startTestServer()
  const [used, late] = [await ticketOf(server), await ticketOf(server)]
  const enter = async (ticket: string) => {
    const tab = openSocket(server)
    await tab.opened
    tab.say({ type: 'ticket', ticket })
    return tab.until(({ type }) => type === 'ready').catch(() => tab.closed)
  }
  server.pass(29_999)
  expect(await enter(used)).toEqual({ type: 'ready', protocol: protocolVersion })
  expect(await enter(used)).toMatchObject({ code: 1008 })
  server.pass(1)
  expect(await enter(late)).toMatchObject({ code: 1008 })
})

test('[HTTP30] a start secret is no ticket, and a ticket no start secret', async () => {
  const server = await startTestServer()
  expect((await exchange(server, await ticketOf(server))).status).toBe(401)
  const tab = openSocket(server)
  await tab.opened
  tab.say({ type: 'ticket', ticket: secretOf(server.startUrl()) })
  expect(await tab.closed).toMatchObject({ code: 1008 })
})

test('[HTTP34] a new token ends the old one and everything it opened', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const stream = await openEvents(server, `/v1/sessions/${host.id}/events`)
  await stream.until(isLive)
  const tab = await openTab(server)
  const [secret, ticket] = [secretOf(server.startUrl()), await ticketOf(server)]

  const rotated = await server.call('/v1/token', { method: 'POST' })
  const { token } = await bodyOf(rotated, routes.rotate.answer)
  await stream.ended
  await tab.closed
  expect(host.subscribers()).toBe(0)
  expect((await server.call('/v1/health')).status).toBe(401)
  const headers = { authorization: `Bearer ${token}` }
  expect((await server.call('/v1/health', { headers })).status).toBe(200)
  expect((await exchange(server, secret)).status).toBe(401)
  const stale = openSocket(server)
  await stale.opened
  stale.say({ type: 'ticket', ticket })
  expect(await stale.closed).toMatchObject({ code: 1008 })
})
