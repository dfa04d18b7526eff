import { expect, test } from 'vitest'
import { ErrorBody, RefusalCode } from '../../src/protocol/http/refusal.ts'
import { refused } from '../../src/base/result.ts'
import type { Route } from '../../src/protocol/http/route.ts'
import { protocolVersion, routes } from '../../src/protocol/http/routes.ts'
import { statusOf } from '../../src/server/http/refuse.ts'
import { StoreError } from '../../src/server/store/store-error.ts'
import { bodyOf, errorOf, startTestServer } from './support.ts'

const table: Route[] = Object.values(routes)
const ghost = 'no-such-session'

test('[HTTP14] unknown ids and ids that cannot exist get 404 on every route that takes one', async () => {
  const server = await startTestServer()
  const withId = table.filter(({ path }) => path.includes(':id'))
  expect(withId.length).toBeGreaterThan(10)
  const bodies: Record<string, unknown> = {
    [routes.send.path]: { text: 'hi' },
    [routes.answer.path]: { ask: `ask-${'0'.repeat(36)}`, outcome: 'allow' },
    [routes.driver.path]: { driver: 'person' },
    [routes.queue.path]: { seq: 1 },
  }
  for (const id of [ghost, '..%2f..%2fetc', "x'--", '%00%ff', 'A'.repeat(5_000)]) {
    for (const { method, path } of withId) {
      const url = path
        .replace(':id', id)
        .replace(':team', 'default')
        .replace(':run', `sh-${'0'.repeat(36)}`)
      const json = method === 'GET' ? {} : { json: bodies[path] ?? {} }
      const query = path === routes.complete.path ? '?text=x&cursor=1' : ''
      const response = await server.call(url + query, { method, ...json })
      expect([method, url, ...(await errorOf(response))]).toEqual([method, url, 404, 'not_found'])
    }
  }
})

test('[HTTP14] unknown paths get 404', async () => {
  const server = await startTestServer()
  for (const path of [
    '/v1',
    '/v1/',
    '/v2/sessions',
    '/v1/sessions/',
    '/.git/config',
    '/%2e%2e/x',
    '/*',
  ]) {
    expect([path, ...(await errorOf(await server.call(path)))]).toEqual([path, 404, 'not_found'])
  }
})

test('[HTTP14] a wrong method gets 405 with the right ones, and HEAD opens no stream', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const allow = async (method: string, path: string) => {
    const response = await server.call(path, { method })
    return [response.status, response.headers.get('allow')]
  }
  expect(await allow('PUT', '/v1/sessions')).toEqual([405, 'GET, POST'])
  expect(await allow('OPTIONS', '/v1/exchange')).toEqual([405, 'POST'])
  expect(await allow('POST', `/v1/sessions/${host.id}`)).toEqual([405, 'GET, DELETE, PATCH'])
  expect(await allow('DELETE', '/')).toEqual([405, 'GET'])
  expect(await allow('HEAD', `/v1/sessions/${host.id}/events`)).toEqual([405, 'GET'])
  expect(host.subscribers()).toBe(0)
})

test('[HTTP14] no GET changes anything', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const before = [...host.events]
  for (const { path } of table.filter(({ method }) => method === 'GET')) {
    const control = new AbortController()
    const url = path
      .replace(':id', host.id)
      .replace(':team', 'default')
      .replace(':run', `sh-${'0'.repeat(36)}`)
    await server.call(url, { signal: control.signal })
    control.abort()
  }
  expect(host.handled).toEqual([])
  expect(host.events).toEqual(before)
  expect(server.hosts.count()).toBe(1)
})

test('[HTTP18] every refusal code has its status, and the body says the code and the details', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const seen: Record<string, number> = {}
  for (const code of RefusalCode.options) {
    const error = { code, message: 'no', detail: { by: { kind: 'user', client: 'web' } } }
    host.answerWith(() => refused(error))
    const response = await server.call(`/v1/sessions/${host.id}/send`, { json: { text: 'x' } })
    expect(await response.json()).toEqual({ error })
    seen[code] = response.status
    expect(response.headers.get('retry-after')).toBe(response.status === 503 ? '1' : null)
  }
  expect(seen).toMatchObject({ already_answered: 409, unknown_ask: 404, queue_full: 503 })
  expect(seen).toMatchObject({ store_busy: 503, disk_full: 507, read_only: 507, overloaded: 503 })
  expect(seen).toEqual(
    Object.fromEntries(RefusalCode.options.map((code) => [code, statusOf(code)])),
  )
  expect(Object.values(seen).every((status) => status >= 400)).toBe(true)
})

test('[HTTP18] a disk or a store that fails anywhere is told as that, with what to do', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const send = () => server.call(`/v1/sessions/${host.id}/send`, { json: { text: 'x' } })
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  for (const [error, answer] of [
    [new StoreError('disk_full', 'full'), [507, 'disk_full']],
    [new StoreError('store_busy', 'locked'), [503, 'store_busy']],
    [full, [507, 'disk_full']],
  ] as const) {
    host.breakWith(error)
    expect(await errorOf(await send())).toEqual(answer)
  }
  host.breakWith(new StoreError('corrupt_event', 'event 2 cannot be read. Remove the session.'))
  expect((await bodyOf(await send(), ErrorBody)).error).toEqual({
    code: 'damaged',
    message: expect.stringMatching(
      /^The log is damaged: event 2 cannot be read\. Remove the session\. .*export ID/,
    ),
  })
})

test('[HTTP18] an unexpected error is a plain 500 outside and a line of diagnostics inside', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  host.breakWith(new Error(`cannot read /home/someone/secret with ${server.token}`))
  const response = await server.call(`/v1/sessions/${host.id}/send`, { json: { text: 'x' } })
  const body = await response.text()
  expect(response.status).toBe(500)
  expect(JSON.parse(body)).toEqual({ error: { code: 'internal', message: expect.any(String) } })
  expect(body).not.toMatch(/home|someone|\bat \w|\.ts|aaaa/)
  expect(server.diagnostics).toEqual([
    expect.stringMatching(`^POST /v1/sessions/${host.id}/send failed: Error: cannot read`),
  ])
})

test('[HTTP24] each route hands its intent to the session, with the name of the client', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  const ask = `ask-${'0'.repeat(36)}`
  const calls: [string, string, unknown][] = [
    ['POST', 'send', { text: ' !ls\n', as: 'run', key: 'k' }],
    ['POST', 'answer', { ask, outcome: 'deny', word: 'no' }],
    ['POST', 'abort', {}],
    ['POST', 'interrupt', { signal: 'term' }],
    ['POST', 'keep', {}],
    ['POST', 'driver', { driver: 'model' }],
    ['POST', 'queue', { seq: 3 }],
    ['POST', 'queue', { seq: 3, text: 'other' }],
    ['PATCH', '', { title: 'A title' }],
  ]
  for (const [method, name, json] of calls) {
    const path = `/v1/sessions/${host.id}${name && `/${name}`}`
    const headers = { 'tandem-client': `  web\t\u0080ü${'x'.repeat(200)}` }
    const response = await server.call(path, { method, json, headers })
    expect([name, response.ok]).toEqual([name, true])
  }
  expect(host.handled.map(({ intent }) => intent)).toEqual([
    { type: 'submit', text: ' !ls\n', as: 'run', key: 'k' },
    { type: 'answer', ask, outcome: 'deny', word: 'no' },
    { type: 'abort' },
    { type: 'interrupt', signal: 'term' },
    { type: 'keep' },
    { type: 'drive', driver: 'model' },
    { type: 'withdraw', seq: 3 },
    { type: 'edit_queued', seq: 3, text: 'other' },
    { type: 'update', title: 'A title' },
  ])
  const client = `webü${'x'.repeat(200)}`.slice(0, 100)
  expect(host.handled.map(({ by }) => by)).toEqual(calls.map(() => ({ kind: 'user', client })))
})

test('[HTTP24] a body where none is expected is refused', async () => {
  const server = await startTestServer()
  const response = await server.call('/v1/tickets', { json: { life: 'for ever' } })
  expect(await errorOf(response)).toEqual([400, 'bad_request'])
})

test('[HTTP24] a bare POST means the defaults', async () => {
  const server = await startTestServer()
  const host = server.hosts.session()
  await server.call(`/v1/sessions/${host.id}/interrupt`, { method: 'POST' })
  expect(host.handled).toEqual([
    { intent: { type: 'interrupt', signal: 'int' }, by: { kind: 'user' } },
  ])
})

test('[HTTP93] health says what is running', async () => {
  const server = await startTestServer()
  server.hosts.session()
  expect(await (await server.call('/v1/health')).json()).toEqual({
    version: '1.2.3',
    protocol: protocolVersion,
    pid: process.pid,
    model: 'demo/demo',
    sessions: 1,
    folder: process.cwd(),
  })
})

test('[HTTP93] a shutdown is answered first and then begun', async () => {
  const server = await startTestServer()
  const response = await server.call('/v1/shutdown', { json: { shells: 'end' } })
  expect([response.status, await response.json()]).toEqual([202, { pid: process.pid }])
  await expect.poll(() => server.shutdowns).toEqual([{ shells: 'end' }])
})

test('[HTTP24] sessions are made, listed, shown, paged, exported and deleted', async () => {
  const server = await startTestServer()
  const created = await server.call('/v1/sessions', { json: { workspace: '/w' } })
  const made = await bodyOf(created, routes.createSession.answer)
  const path = `/v1/sessions/${made.id}`
  await server.call(`${path}/send`, { json: { text: 'one' } })
  const shown = await (await server.call(path)).json()
  expect(shown).toEqual({ ...made, head: 2, seq: 2 })
  const listed = await (await server.call('/v1/sessions')).json()
  expect(listed).toMatchObject({ sessions: [{ id: made.id, head: 2 }] })
  const page = await (await server.call(`${path}/log?after=1`)).json()
  expect(page).toMatchObject({ events: [{ seq: 2, parts: [{ text: 'one' }] }], head: 2 })
  const document = await server.call(`${path}/export?format=json`)
  expect([document.headers.get('content-type'), await document.text()]).toEqual([
    'application/json; charset=utf-8',
    'export as json',
  ])
  const deleted = await server.call(path, { method: 'DELETE' })
  expect(await deleted.json()).toEqual({ deleted: made.id })
  expect((await server.call(path)).status).toBe(404)
  const nowhere = await server.call('/v1/sessions', { json: { workspace: 'relative' } })
  expect(await errorOf(nowhere)).toEqual([422, 'bad_workspace'])
})
