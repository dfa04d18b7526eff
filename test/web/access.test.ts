import { get } from 'node:http'
import { expect, test } from 'vitest'
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
  await second.page.evaluate(() => sessionStorage.clear())
  await second.page.goto('about:blank')
  await second.page.goto(address)
  await second.sees('Tandem is locked here')
  await second.sees('tandem web')
})

test('[WEB2] a new tab gets its token from a sibling; alone it says how to get one', async () => {
  const { page, tab, sees } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  const sibling = await tab()
  await sibling.goto(world.server.url)
  await sibling.getByRole('button', { name: 'Start a session' }).waitFor()
  await page.close()
  await sibling.evaluate(() => sessionStorage.clear())
  await sibling.reload()
  await sibling.getByText('Tandem is locked here').waitFor()
  await sibling.getByText('tandem web').waitFor()
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

test('[WEB42] until the terminal is shown the page weighs at most 150 KB, compressed', async () => {
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
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(150_000)
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
