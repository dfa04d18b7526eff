import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ExportFormat } from '../../src/protocol/page-routes.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB29] sessions are started, renamed, searched, deleted with a way back, and gone for good', async () => {
  const first = await world.server.session()
  await world.server.patch(first.id, { title: 'Alpha' })
  const second = await world.server.session()
  await world.server.patch(second.id, { title: 'Beta' })
  const { page, sees } = await visit(world.server, { session: first.id })
  const list = page.getByRole('navigation', { name: 'Sessions' })
  await sees(list.getByRole('button', { name: /^Beta/ }))
  await list.getByRole('searchbox').fill('alp')
  await list.getByRole('button', { name: /^Beta/ }).waitFor({ state: 'detached' })
  await list.getByRole('searchbox').fill('')

  const menu = async (title: string, item: string) => {
    await list.locator('.session-row', { hasText: title }).hover()
    await list.getByRole('button', { name: `More for ${title}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu('Beta', 'Rename…')
  await press(page, 'Control+a')
  await page.keyboard.type('Gamma')
  await press(page, 'Enter')
  await sees(list.getByRole('button', { name: /^Gamma/ }))

  await menu('Gamma', 'Delete')
  await list.getByRole('button', { name: /^Gamma/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await sees(list.getByRole('button', { name: /^Gamma/ }))
  expect((await second.view()).title).toBe('Gamma')

  await menu('Gamma', 'Delete')
  await sees('Deleted “Gamma”')
  // The next deletion finishes the one before.
  await menu('Alpha', 'Delete')
  await expect
    .poll(() =>
      second.view().then(
        () => true,
        () => false,
      ),
    )
    .toBe(false)

  await list.getByRole('button', { name: 'New session', exact: true }).click()
  await sees('One shell, two drivers')
})

test('[WEB30] a session is saved as a file in every form there is', async () => {
  const session = await world.server.session()
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('!echo exported')
  await sees(run(/echo exported — .*✓/))
  for (const format of ExportFormat.options) {
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Commands' }).fill('export')
    await page.getByRole('option', { name: 'Export…' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('option', { name: new RegExp(`^Export as ${format}(?![a-z])`) }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`))
    expect(await readFile(await saved.path(), 'utf8')).toContain('exported')
  }
})

test('[WEB31] help and palette list every action with its key, and every command of the session', async () => {
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  await composer.blur()
  await press(page, '?')
  const help = page.getByRole('dialog', { name: 'Help' })
  for (const text of ['Ctrl+K', 'Alt+A', '!!command', '/shell'])
    await sees(help.getByText(text).first())
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })
  await composer.focus()
  await press(page, '?')
  expect(await composer.inputValue()).toBe('?')
  await press(page, 'Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill('bash mode')
  await press(page, 'Enter')
  await sees('[BASH]')
})

test('[WEB32] the theme follows the system until one is chosen, and the split stays where it was put', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id, colorScheme: 'light' })
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  expect(await theme()).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(theme).toBe('dark')
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  expect(await theme()).toBe('light')

  await press(page, 'Control+`')
  const bar = page.getByRole('separator', { name: 'Room for the chat' })
  await sees(bar)
  const before = Number(await bar.getAttribute('aria-valuenow'))
  await bar.focus()
  await press(page, 'ArrowRight', 'ArrowRight')
  const moved = Number(await bar.getAttribute('aria-valuenow'))
  expect(moved).toBeGreaterThan(before)
  const place = await bar.boundingBox()
  await page.mouse.move(place!.x, 300)
  await page.mouse.down()
  await page.mouse.move(place!.x - 200, 300)
  await page.mouse.up()
  const dragged = Number(await bar.getAttribute('aria-valuenow'))
  expect(dragged).toBeLessThan(moved)
  await page.reload()
  await sees(bar)
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBe(dragged)
  expect(await theme()).toBe('light')
})

test('[WEB50] a session’s recording is scrubbed through beside its chat, which is as it was then', async () => {
  const session = await world.server.session()
  await session.run('echo first')
  await session.run('sleep 2.5')
  await session.run('echo last')
  const { page, run, sees } = await visit(world.server, { session: session.id })
  await sees(run('echo last'))
  await press(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Commands' }).fill('replay')
  await press(page, 'Enter')
  const place = page.getByRole('slider', { name: 'Place in the recording' })
  await place.press('Home')
  await page.locator('.run-line', { hasText: 'echo last' }).waitFor({ state: 'detached' })
  await place.press('End')
  await sees(run('echo last'))
  await page.getByRole('button', { name: 'Back to the live terminal' }).click()
  await place.waitFor({ state: 'detached' })
  await sees(run('echo last'))
})
