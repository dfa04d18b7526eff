import { createServer, get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { startServer } from '../support/server.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { startAddress } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB1] the start address opens the page once, and leaves its secret nowhere', async () => {
  const { page, sees, faults } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  expect(page.url()).toBe(`${world.server.url}/`)
  const kept = await page.evaluate(() => ({
    local: JSON.stringify(localStorage),
    cookies: document.cookie,
    entries: history.length,
  }))
  expect(kept.local).not.toContain(world.server.token)
  expect(kept.cookies).toBe('')
  expect(faults).toEqual([])

  const address = await startAddress(world.server)
  const used = page.waitForResponse('**/v1/exchange')
  await page.goto(address)
  expect((await used).status()).toBe(200)
  await page.waitForURL(`${world.server.url}/`)
  const second = await visit(world.server)
  await second.sees(second.page.getByRole('button', { name: 'Start a session' }))
  await second.page.evaluate(() => indexedDB.deleteDatabase('tandem-access'))
  await second.page.goto('about:blank')
  await second.page.goto(address)
  await second.sees('Tandem is locked here')
  await second.sees('tandem web')
})

test('[WEB1] a new tab comes in by the browser’s key, which nobody can read; signed out, it says what to do', async () => {
  const { page, tab, sees } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  const sibling = await tab()
  await sibling.goto(world.server.url)
  await sibling.getByRole('button', { name: 'Start a session' }).waitFor()
  const kept = await sibling.evaluate(async () => {
    const opening = indexedDB.open('tandem-access')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const keys = opening.result.transaction('keys').objectStore('keys').get('browser')
    await new Promise((resolve) => keys.addEventListener('success', resolve))
    const { own }: { own: CryptoKey } = keys.result
    const exported = await crypto.subtle.exportKey('pkcs8', own).catch(() => 'refused')
    const stored = JSON.stringify([localStorage, sessionStorage, document.cookie])
    return { isExtractable: own.extractable, exported, stored }
  })
  expect(kept).toMatchObject({ isExtractable: false, exported: 'refused' })
  expect(kept.stored).not.toContain(world.server.token)

  const { browsers } = await world.server.client.call(routes.browsers, {})
  const own = browsers.filter(({ name }) => name.includes('Chrome'))
  for (const { id } of own) await world.server.client.call(routes.removeBrowser, { params: { id } })
  await sibling.getByText('Tandem is locked here').waitFor()
  await page.reload()
  await sees('This browser was signed out')
  await sees('tandem web')
})

test('[WEB1] a tab that meets a stranger at its address tells it nothing, says so, and keeps what was typed', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const session = await server.session()
  const { page, sees, composer } = await visit(server, { session: session.id })
  await composer.fill('a half-written secret plan')
  const { port } = new URL(server.url)
  const heard: string[] = []
  const stranger = createServer((request, response) => {
    let said = `${request.method} ${request.url} ${JSON.stringify(request.headers)}`
    request.on('data', (part: Buffer) => (said += part.toString()))
    request.on('end', () => {
      heard.push(said)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ nonce: 'n'.repeat(43), proof: 'p'.repeat(86), ticket: 't' }))
    })
  })
  await server.kill()
  await new Promise<void>((resolve) => stranger.listen(Number(port), '127.0.0.1', resolve))
  await sees('is not your Tandem server')
  expect(new Set(heard.map((said) => said.split(' ', 2).join(' ')))).toEqual(
    new Set(['POST /v1/hello']),
  )
  expect(heard.join()).not.toMatch(/authorization|secret plan/i)

  stranger.closeAllConnections()
  await new Promise((resolve) => stranger.close(resolve))
  await server.restart()
  expect(new URL(server.url).port).toBe(port)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => composer.inputValue()).toBe('a half-written secret plan')
})

test('[WEB1] a pass that opens nothing is not asked for over and over: the page says so, and tries again when told', async () => {
  const { page, sees } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  let hellos = 0
  page.on('request', (request) => (hellos += Number(request.url().endsWith('/v1/hello'))))
  const error = { code: 'unauthorized', message: 'no' }
  await page.route('**/v1/tickets', (route) => route.fulfill({ status: 401, json: { error } }))
  await page.reload()
  await sees('refuses what it asks for')
  // Three openings, with one more handshake for each request that was refused in them.
  expect(hellos).toBeLessThan(15)
  const soFar = hellos
  await page.unroute('**/v1/tickets')
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(page.getByRole('button', { name: 'Start a session' }))
  expect(hellos).toBeGreaterThan(soFar)
})

test('[WEB48] parts that were to be loaded ahead from a server that is away are no fault, and say so when wanted', async () => {
  const session = await world.server.session()
  const { page, sees, faults, composer } = await visit(world.server, { session: session.id })
  const missed: string[] = []
  await page.route(/\/assets\/(?:prose|session-dialog|history-search)-/, (route) => {
    missed.push(route.request().url())
    return route.abort()
  })
  await page.reload()
  await sees(page.locator('.connection.is-live'))
  await expect.poll(() => missed.length).toBeGreaterThan(1)
  expect(faults).toEqual([])
  await composer.press('Control+k')
  await sees('The dialog cannot be shown')
  await composer.press('Control+r')
  await sees('The search cannot be shown')
  await composer.fill('the page goes on')
})

test('[WEB3] a browser gets the page with a strict policy and files that never change; curl gets text', async () => {
  const { url } = world.server
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  const html = await page.text()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule)
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
  const etag = page.headers.get('etag') ?? ''
  const again = await fetch(url, { headers: { accept: 'text/html', 'if-none-match': etag } })
  expect(again.status).toBe(304)

  const [script = ''] = html.match(/\/assets\/[\w.-]+\.js/) ?? []
  for (const encoding of ['br', 'gzip', 'identity']) {
    const file = await fetch(url + script, { headers: { 'accept-encoding': encoding } })
    expect(file.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await file.text()).length).toBeGreaterThan(10_000)
  }
  for (const path of [
    '/assets/..%2findex.html',
    '/assets/nothing.js',
    '/assets/%2e%2e%2fserver.js',
  ])
    expect((await fetch(url + path)).status).toBe(404)
  const plain = await fetch(url)
  expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await plain.text()).toContain('/openapi.json')
})

test('[WEB3] until the terminal is shown the page weighs at most 170 KB, compressed', async () => {
  const { page, sees } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  await page.getByRole('button', { name: 'Start a session' }).click()
  await sees('One shell, two drivers')
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  const html = await (await fetch(world.server.url, { headers: { accept: 'text/html' } })).text()
  const first = [...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path)
  expect(loaded.some((url) => /panel|xterm/.test(url))).toBe(false)
  const sizes = await Promise.all(
    [...new Set(first)].map(async (path) => {
      const file = await request(world.server.url + path)
      return file.length
    }),
  )
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(170_000)
})

/** A file as it goes over the wire to a browser that takes gzip. */
function request(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const bytes: Buffer[] = []
      response.on('data', (part: Buffer) => bytes.push(part))
      response.on('end', () => resolve(Buffer.concat(bytes)))
    }).on('error', reject)
  })
}
