import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

test('[APP72] Shift+Tab in the composer walks through the modes and says so; F6 leaves it backwards', async () => {
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  const menu = (name: string) => page.getByRole('button', { name: `Approval: ${name}` })
  await sees(menu('Ask for changes'))
  await composer.press('Shift+Tab')
  // The folder is not trusted, so one is passed over, with the reason.
  await sees('needs a folder that you trust')
  await sees(menu('Never run'))
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)
  await sees(page.getByText('Never run: No command of the model runs').first())
  await composer.press('Shift+Tab')
  await sees(menu('Ask always'))
  await composer.press('F6')
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(false)
  await page.keyboard.press('Tab')
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('[APP72] the menu of modes offers all with what they do, by keys, and marks the one that holds', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  const button = page.getByRole('button', { name: 'Approval: Ask for changes' })
  await button.press('Enter')
  const items = page.getByRole('menuitemradio')
  await sees(items.first())
  expect(await items.count()).toBe(4)
  expect((await items.allInnerTexts()).join('\n')).toContain('tests and builds it declares')
  const chosen = page.getByRole('menuitemradio', { checked: true })
  expect(await chosen.innerText()).toContain('Ask for changes')
  expect(await chosen.evaluate((item) => item === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('button', { name: 'Approval: Ask always' }))
  await sees('Approval is now: Ask always (ask-all)')
})
