import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startAddress } from './support/visit.ts'

const visit = useBrowser()

async function inWorld(use: (world: World) => Promise<void>): Promise<void> {
  const world = await startWorld()
  try {
    await use(world)
  } finally {
    await world.close()
  }
}

test('[WEB15] a server that is killed in the middle of a run and comes back: the page goes on without loss', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    execFileSync('mkfifo', [join(server.workspace, 'fifo')])
    const { page, say, run, sees } = await visit(server, { session: session.id })
    await say('!read -r go < fifo; echo went on')
    await session.until('run_start')
    await sees(run('⏳ Running...'))
    await server.kill()
    await sees(page.locator('.connection.is-reconnecting'))
    await server.restart()
    await sees(page.locator('.connection.is-live'))
    const again = server.reopen(session)
    await again.interrupt()
    await sees(run(/read -r go < fifo; echo went on — /))
    expect(await page.locator('.msg-shell').count()).toBe(1)
    await say('!echo after')
    await sees(run(/!echo after — .*✓/))
    again.close()
  }))

test('[WEB21] nothing typed while the server is away is lost: it is sent once, in order, when it is back', () =>
  inWorld(async ({ server, model }) => {
    const session = await server.session()
    const { page, say, run, sees } = await visit(server, { session: session.id })
    model.say('I heard you.')
    await server.kill()
    await sees(page.locator('.connection.is-reconnecting'))
    await say('!echo first')
    await say('then this')
    await say('never this')
    await sees(page.locator('.letter-note').first())
    await page
      .locator('.row', { hasText: 'never this' })
      .getByRole('button', { name: 'Take back' })
      .click()
    await server.restart()
    await sees('I heard you.')
    await sees(run(/!echo first — .*✓/))
    const again = server.reopen(session)
    await again.until('agent_end')
    const requests = again.all('tool_request').map((event) => event.run?.command)
    const prompts = again
      .all('message')
      .filter((event) => event.role === 'user' && !event.synthetic)
    expect(requests).toEqual(['echo first'])
    expect(prompts).toHaveLength(1)
    expect(model.requests).toHaveLength(1)
    expect(await page.locator('.letter-note').count()).toBe(0)
    again.close()
  }))

test('[WEB21] what waits survives a reload', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    const one = await visit(server, { session: session.id })
    await one.page.route('**/send', (route) => route.abort('connectionrefused'))
    await one.say('!echo kept')
    await one.sees(one.page.locator('.letter-note'))
    await one.page.unroute('**/send')
    await one.page.reload()
    await one.sees(one.run(/!echo kept — .*✓/))
    expect(
      await one.page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.includes('outbox')),
      ),
    ).toEqual([])
    expect(session.all('tool_request')).toHaveLength(1)
  }))

test('[WEB21] what the session refuses comes back to the composer with the reason', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    const { page, say, sees, composer } = await visit(server, { session: session.id })
    await say('/nosuchcommand please')
    await sees(page.locator('.refusal'))
    expect(await composer.inputValue()).toBe('/nosuchcommand please')
    expect(session.all('message')).toHaveLength(0)
  }))

test('[WEB16] what is taken back in one tab is not sent by another', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    const { page, tab, say, run, sees } = await visit(server, { session: session.id })
    await page.context().route('**/send', (route) => route.abort('connectionrefused'))
    await say('!echo taken back')
    await sees(page.locator('.letter-note'))
    const other = await tab()
    await other.goto(page.url())
    await other.locator('.letter-note').waitFor()
    await page.getByRole('button', { name: 'Take back' }).click()
    // Not only its note: that goes as well while the text is sent.
    await other.locator('.is-pending').waitFor({ state: 'detached' })
    await page.context().unroute('**/send')
    await other.evaluate(() => dispatchEvent(new Event('online')))
    await say('!echo this one')
    await sees(run(/!echo this one — .*✓/))
    expect(session.all('tool_request').map((event) => event.run?.command)).toEqual([
      'echo this one',
    ])
  }))

test('[WEB48] a part of the page that can no longer be loaded says so, and the rest goes on', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    const { page, say, run, sees } = await visit(server, { session: session.id })
    await page.route('**/assets/panel-*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('button', { name: 'Terminal', exact: true }).click()
    await sees('The terminal cannot be shown')
    await say('!echo still here')
    await sees(run(/echo still here — .*✓/))
  }))

test('[WEB21] what was written before the browser was signed out is sent once it is signed in again', () =>
  inWorld(async ({ server }) => {
    const session = await server.session()
    const { page, say, run, sees } = await visit(server, { session: session.id })
    await page.route('**/send', (route) => route.abort())
    await say('!echo not lost')
    const { browsers } = await server.client.call(routes.browsers, {})
    for (const { id } of browsers)
      await server.client.call(routes.removeBrowser, { params: { id } })
    await sees('Tandem is locked here')
    await page.unroute('**/send')
    await page.goto(await startAddress(server))
    await page.evaluate((id) => void (location.hash = `session=${id}`), session.id)
    await sees(run(/!echo not lost — .*✓/))
    expect(session.all('tool_request')).toHaveLength(1)
  }))
