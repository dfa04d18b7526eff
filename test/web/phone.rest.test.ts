import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('[WEB40] on a phone chat and terminal are tabs, nothing is wider than the screen, and Enter is a new line', async () => {
  const session = await world.server.session()
  const { page, run, sees, composer } = await visit(world.server, { session: session.id, ...phone })
  await composer.tap()
  await page.keyboard.type('!echo one')
  await page.keyboard.press('Enter')
  expect(await composer.inputValue()).toBe('!echo one\n')
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Send' }).tap()
  await sees(run(/echo one — .*✓/))
  world.model.say(`${'longword'.repeat(40)}\n\n<shell>rm -rf ${'x'.repeat(200)}</shell>`)
  await composer.fill('clean up')
  await page.getByRole('button', { name: 'Send' }).tap()
  await sees(page.locator('.ask-card'))
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBe(0)
  const sizes = await page
    .locator('.ask-card .button')
    .evaluateAll((buttons) =>
      buttons
        .map((button) => button.getBoundingClientRect())
        .filter((box) => box.right > innerWidth || box.height < 32),
    )
  expect(sizes).toEqual([])
  await page.getByRole('tab', { name: /terminal/i }).tap()
  await sees(page.locator('.xterm-screen'))
  await page.getByRole('tab', { name: /chat/i }).tap()
  await page.getByRole('button', { name: 'Sessions', exact: true }).tap()
  await sees(page.getByRole('navigation', { name: 'Sessions' }))
  expect(await overflow()).toBe(0)
  await page
    .getByRole('button', { name: 'Close the sessions' })
    .tap({ position: { x: 370, y: 400 } })
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor({ state: 'detached' })
})

test('[WEB31] on a phone the palette shows terminal, recording, list and composer, too', async () => {
  const session = await world.server.session()
  await session.run('echo recorded')
  const { page, sees, composer } = await visit(world.server, { session: session.id, ...phone })
  const choose = async (words: string) => {
    await page.getByRole('button', { name: 'Commands' }).tap()
    await page.getByRole('combobox', { name: 'Commands' }).fill(words)
    await page.getByRole('dialog').getByRole('option').first().tap()
  }
  await choose('show or hide the terminal')
  await sees(page.locator('.xterm-screen'))
  await choose('go to the composer')
  await sees(composer)
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)
  await choose('replay')
  await sees(page.getByRole('slider', { name: 'Place in the recording' }))
  await page.getByRole('button', { name: 'Back to the live terminal' }).tap()
  await choose('search sessions')
  await sees(page.getByRole('navigation', { name: 'Sessions' }))
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Sessions' }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'terminal' }).press('ArrowLeft')
  await sees(composer)
})
