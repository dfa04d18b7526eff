// needs: chromium
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { holdBack, press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB21] several refused texts wait, each with its reason, while something else is written', async () => {
  const session = await world.server.session()
  const { page, say, sees, composer } = await visit(world.server, { session: session.id })
  let answers = 0
  page.on('response', (response) => void (response.url().endsWith('/send') && (answers += 1)))
  const sending = await holdBack(page, '**/send')
  for (const text of ['/nosuch one', '/nosuch two', '/nosuch three']) await say(text)
  await composer.fill('a draft')
  sending.release()
  await expect.poll(() => answers).toBe(3)
  const banner = page.locator('.refusal')
  await sees(banner.getByText('/nosuch one'))
  expect(await composer.inputValue()).toBe('a draft')
  await banner.getByRole('button', { name: 'Take it back' }).click()
  await expect.poll(() => composer.inputValue()).toBe('/nosuch one\na draft')
  await sees(banner.getByText('/nosuch two'))
  await page.reload()
  await sees(banner.getByText('/nosuch two'))
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await sees(banner.getByText('/nosuch three'))
  await composer.fill('')
  await banner.getByRole('button', { name: 'Take it back' }).click()
  await expect.poll(() => composer.inputValue()).toBe('/nosuch three')
  expect(await banner.count()).toBe(0)
})

test('[WEB21] a waiting text that is taken back stands in the composer again', async () => {
  const session = await world.server.session()
  const { page, say, sees, composer } = await visit(world.server, { session: session.id })
  await page.route('**/send', (route) => route.abort('connectionrefused'))
  await say('!echo a long line')
  await sees(page.locator('.letter-note'))
  await composer.fill('!echo a draft')
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => composer.inputValue()).toBe('!echo a long line\n!echo a draft')
  await page.locator('.is-pending').waitFor({ state: 'detached' })
})

test('[WEB10] a half-written word for the model outlives its card’s tab and session, and takes no focus', async () => {
  const [session, other] = [await world.server.session(), await world.server.session()]
  world.model.say('<shell>mv a b</shell>', 'As you like.')
  const viewport = { width: 700, height: 800 }
  const { page, say, sees, composer } = await visit(world.server, { session: session.id, viewport })
  await say('move it')
  await sees(page.locator('.ask-card .button.is-go:enabled'))
  await page.getByRole('button', { name: 'Deny and explain…' }).click()
  const line = page.getByLabel('What should the model do instead?')
  await line.fill('use git mv')
  await page.getByRole('tab', { name: 'terminal' }).click()
  await line.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'chat' }).click()
  await sees(line)
  expect(await line.inputValue()).toBe('use git mv')
  for (const id of [other.id, session.id]) {
    await page.evaluate((next) => void (location.hash = `session=${next}`), id)
    await line.waitFor({ state: id === session.id ? 'visible' : 'detached' })
  }
  expect(await line.evaluate((field) => field === document.activeElement)).toBe(false)
  // It is inert at first, as a card that is new.
  await line.focus()
  await expect
    .poll(async () => {
      if ((await line.count()) > 0) await press(page, 'Enter')
      return session.all('elicitation_response').map(({ outcome, word }) => [outcome, word])
    })
    .toEqual([['deny', 'use git mv']])
  await sees('As you like.')
  await sees(composer)
})

test('[WEB4] an output that does not come says so and is asked for again', async () => {
  const session = await world.server.session()
  await session.run('echo of then')
  const { page, run, sees } = await visit(world.server)
  const failing = '**/runs/*/output**'
  await page.route(failing, (route) => route.abort('connectionrefused'))
  await page.evaluate((id) => void (location.hash = `session=${id}`), session.id)
  await sees('The output could not be loaded.')
  await page.unroute(failing)
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(run('echo of then').getByText('of then', { exact: true }))
})

test('[WEB33] earlier entries that did not come are asked for again', async () => {
  const session = await world.server.session()
  for (let n = 0; n < 80; n += 1) await session.run(`echo row ${n}`)
  const { page, run, sees } = await visit(world.server, { session: session.id })
  await sees(run('echo row 79'))
  const failing = '**/log?**'
  await page.route(failing, (route) => route.abort('connectionrefused'))
  const list = page.getByRole('log')
  await list.focus()
  await list.press('Home')
  await sees('Earlier entries could not be loaded.')
  await page.unroute(failing)
  await page.getByRole('button', { name: 'Try again' }).click()
  const first = page.locator('.run-line', { hasText: /echo row 0 / })
  while ((await first.count()) === 0) {
    await list.press('Home')
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
})

test('[WEB33] a first page that does not fill the window offers what is before it', async () => {
  const session = await world.server.session()
  await session.run('echo long ago')
  for (let n = 0; n < 210; n += 1) await world.server.patch(session.id, { title: `Title ${n}` })
  const { page, sees } = await visit(world.server, { session: session.id })
  await page.getByRole('button', { name: 'Earlier entries' }).click()
  await sees(page.locator('.run-line', { hasText: 'echo long ago' }))
  expect(await page.getByRole('button', { name: 'Earlier entries' }).count()).toBe(0)
})
