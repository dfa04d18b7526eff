import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ExportFormat } from '../../src/protocol/http/page-routes.ts'
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

test('[WEB29] a session is saved as a file in every form there is', async () => {
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

test('[TERMWEB2] a session’s recording is scrubbed through beside its chat, which is as it was then', async () => {
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

test('[WEB33] opening a session asks for nothing twice, nor for what the page knows', async () => {
  const { server, model } = world
  const sessions = []
  for (const title of ['Alpha', 'Beta']) {
    const session = await server.session()
    await server.patch(session.id, { title })
    model.say(`This is ${title}.`)
    await session.send('who is this?')
    await session.until('agent_end')
    sessions.push(session)
  }
  const { page, sees } = await visit(server, { session: sessions[0]!.id })
  await sees('This is Alpha.')
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.locator('.session-pick', { hasText: 'Beta' }).click()
  await sees('This is Beta.')
  await sees(page.locator('.connection.is-live'))
  await page.waitForLoadState('networkidle')
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  expect(asked).not.toContain('/v1/sessions')
  expect(asked).not.toContain('/v1/health')
  // What it cannot know it asks for: a new title, and what was said first.
  await server.patch(sessions[1]!.id, { title: 'Gamma' })
  await sees(page.locator('.session-pick', { hasText: 'Gamma' }))
})

test('[WEB31] the palette begins with what the moment asks for, and says what belongs together', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  const palette = page.getByRole('dialog', { name: 'Commands' })
  const first = palette.getByRole('option').first()
  await press(page, 'Control+k')
  await sees(first.getByText('Go to the composer'))
  expect(await palette.getByText('Go to the approval').count()).toBe(0)
  await press(page, 'Escape')
  world.model.say('<shell>rm -rf dist</shell>')
  await session.send('clean up')
  await sees(page.locator('.ask-card .is-go:enabled'))
  await press(page, 'Control+k')
  await sees(palette.getByRole('group', { name: 'Now' }).getByText('Go to the approval'))
  await sees(first.getByText('Go to the approval that waits'))
  await press(page, 'Enter')
  expect(
    await page.locator('.ask-card').evaluate((card) => card.contains(document.activeElement)),
  ).toBe(true)
  await press(page, 'Control+k')
  await palette.getByRole('combobox').fill('private mode on')
  await press(page, 'Enter')
  await sees(page.getByRole('switch', { name: 'private', checked: true }))
  // A selection that ends beside the dialog is no press beside it; and with Shift it is another key.
  await press(page, 'Control+Shift+b')
  await sees(page.getByRole('navigation', { name: 'Sessions' }))
  await press(page, 'Control+k')
  const field = (await palette.getByRole('combobox').boundingBox())!
  await page.mouse.move(field.x + 200, field.y + 20)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await sees(palette)
  await page.mouse.click(5, 5)
  await palette.waitFor({ state: 'detached' })
})

test('[WEB29] the menu of the last session is whole, and the keyboard stays in the list', async () => {
  const { server } = world
  for (let n = 0; n < 40; n += 1) {
    const session = await server.session()
    await server.patch(session.id, { title: `Filler ${n}` })
  }
  const { page, sees } = await visit(server)
  const list = page.getByRole('navigation', { name: 'Sessions' })
  await sees(list.getByText('Filler 39'))
  const rows = list.locator('.session-row')
  const last = rows.last()
  const more = last.getByRole('button', { name: /^More for/ })
  await last.locator('.session-pick').focus()
  await more.press('Enter')
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  const isSeen = await remove.evaluate((item) => {
    const box = item.getBoundingClientRect()
    return item.contains(document.elementFromPoint(box.x + 5, box.y + 5))
  })
  expect(isSeen).toBe(true)
  const isFocused = () => last.evaluate((row) => row.contains(document.activeElement))
  await press(page, 'Enter')
  await sees(page.getByRole('textbox', { name: 'New title' }))
  await press(page, 'Escape')
  await expect.poll(isFocused).toBe(true)
  await more.press('Enter')
  const count = await rows.count()
  await remove.click()
  await expect.poll(() => rows.count()).toBe(count - 1)
  expect(await isFocused()).toBe(true)
})

test('[WEB29] a deletion is finished with the page, and one that fails says so', async () => {
  const { server } = world
  const gone = await server.session()
  await server.patch(gone.id, { title: 'Doomed' })
  const kept = await server.session()
  await server.patch(kept.id, { title: 'Stubborn' })
  const { page, sees } = await visit(server)
  const list = page.getByRole('navigation', { name: 'Sessions' })
  const remove = async (title: string) => {
    await list.locator('.session-row', { hasText: title }).hover()
    await list.getByRole('button', { name: `More for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await page.route(`**/v1/sessions/${kept.id}`, (route) => route.abort('connectionrefused'))
  await remove('Stubborn')
  await remove('Doomed')
  await sees(page.locator('.toast.is-problem'))
  await sees(list.getByText('Stubborn'))
  await page.goto('about:blank')
  await expect
    .poll(() =>
      gone.view().then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
})

test('[WEB48] a model that cannot be had is told of and cannot be chosen', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  await press(page, 'Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('choose the model')
  await press(page, 'Enter')
  const models = page.getByRole('dialog', { name: 'Models' })
  const off = models.getByRole('option', { disabled: true })
  await sees(off.first())
  await off.first().click({ force: true })
  expect(await models.count()).toBe(1)
})
