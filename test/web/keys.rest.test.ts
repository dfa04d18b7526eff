// needs: chromium
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { press } from './support/visit.ts'
import { openTerminal } from './terminal/support/terminal-page.ts'

const world = useWorld({ config: { personSilenceSeconds: 0 } })
const visit = useBrowser()

test('[TERMWEB9] F6 leaves the terminal for the chat behind it, and for the field that a secret is typed into', async () => {
  const session = await world.server.session()
  const options = { session: session.id, width: 700 }
  const { page, focus, shows, composer, sees, say } = await openTerminal(
    visit,
    world.server,
    options,
  )
  await shows(/[$#]$/)
  await focus()
  await press(page, 'F6')
  await sees(composer)
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await expect.poll(focused).toBe('composer')
  await say('!read -rsp "Secret: " answer')
  await sees(page.locator('#secret'))
  await page.getByRole('tab', { name: 'terminal' }).click()
  await shows('Secret:')
  await focus()
  await press(page, 'F6')
  await expect.poll(focused).toBe('secret')
  await page.keyboard.type('s3cret')
  await press(page, 'Enter')
  await sees(composer)
})

test('[VIEW23] a key that is held down does its work once', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  const made: string[] = []
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/sessions')) made.push(sent.url())
  })
  await page.keyboard.down('Alt')
  for (let n = 0; n < 10; n += 1) await page.keyboard.down('n')
  await page.keyboard.up('n')
  await page.keyboard.up('Alt')
  await page.waitForFunction((id) => !location.hash.includes(id), session.id)
  await sees(page.locator('.connection.is-live'))
  // A second press is a second one.
  const second = await page.evaluate(() => location.hash)
  await press(page, 'Alt+n')
  await page.waitForFunction((hash) => location.hash !== hash, second)
  expect(made).toHaveLength(2)
})

test('[VIEW23] behind an open dialog no key of the page does anything', async () => {
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  const list = page.getByRole('navigation', { name: 'Sessions' })
  await sees(list)
  await composer.press('Control+r')
  await sees(page.getByRole('combobox', { name: 'Earlier inputs' }))
  await press(page, 'Control+b', 'Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await list.isVisible()).toBe(true)
  await press(page, 'Control+b')
  await list.waitFor({ state: 'hidden' })
})

test('[WEB16] the focus stays with a waiting input that is left as it was, and goes to the composer when it is changed or goes', async () => {
  const session = await world.server.session()
  let finish = () => {}
  const ending = new Promise<void>((resolve) => (finish = resolve))
  world.model.say({ pieces: ['Working. <shell>true</shell>'], ending }, 'Seen.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('work')
  await sees('Working.')
  await say('and this')
  const row = page.locator('.queue li')
  const focused = () =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
  const edit = row.getByRole('button', { name: 'Edit' })
  await edit.click()
  await press(page, 'Escape')
  await expect.poll(focused).toBe('Edit')
  await edit.click()
  await page.keyboard.type(', but later')
  await press(page, 'Enter')
  await sees(row.getByText('and this, but later'))
  expect(await focused()).toBe('composer')
  await row.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await row.waitFor({ state: 'detached' })
  expect(await focused()).toBe('composer')
  finish()
  await sees('Working.')
})
