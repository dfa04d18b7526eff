import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { holdBack, press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB24] /bash makes every line a command, in words and in mint, until one leaves', async () => {
  const session = await world.server.session()
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  const sign = page.locator('.composer-sign')
  const colour = () => sign.evaluate((element) => getComputedStyle(element).color)
  expect(await sign.innerText()).toBe('>')
  const salmon = await colour()
  await say('/bash')
  await sees('[BASH]')
  expect(await sign.innerText()).toBe('bash>')
  expect(await colour()).not.toBe(salmon)
  await say('/bin/echo from bash')
  await sees(run(/^🖥 \/bin\/echo from bash — .*✓/))
  for (const leave of [
    () => say('exit'),
    () => say('quit'),
    () => composer.press('Control+d'),
    () => composer.press('Escape'),
    () => composer.press('Control+c'),
  ]) {
    await sees('[BASH]')
    await leave()
    await page.locator('.bash-badge').waitFor({ state: 'detached' })
    await say('/bash')
  }
  expect(session.all('tool_request').map(({ run: asked }) => asked?.source)).toEqual(['bash'])
})

test('[WEB25] completion of commands and files comes from the session and is taken by Tab', async () => {
  await mkdir(join(world.server.workspace, 'notes'), { recursive: true })
  await writeFile(join(world.server.workspace, 'notes', 'zebra.md'), 'stripes')
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  await composer.pressSequentially('/sh')
  const list = page.getByRole('listbox', { name: 'Completions' })
  await sees(list.getByRole('option', { name: /shell/ }).first())
  await composer.press('Tab')
  expect(await composer.inputValue()).toMatch(/^\/shell ?$/)
  await composer.fill('')
  await composer.pressSequentially('look at @notes/ze')
  await sees(list.getByRole('option', { name: /zebra\.md/ }))
  await composer.press('Tab')
  expect(await composer.inputValue()).toContain('@notes/zebra.md')
  await composer.press('Escape')
  await list.waitFor({ state: 'detached' })
})

test('[WEB25] earlier inputs come back with the arrows and with Ctrl+R; what was being typed stays', async () => {
  const session = await world.server.session()
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  await say('!echo one')
  await sees(run(/echo one — .*✓/))
  await say('!echo two')
  await sees(run(/echo two — .*✓/))
  await composer.press('ArrowUp')
  await expect.poll(() => composer.inputValue()).toBe('!echo two')
  await composer.press('ArrowUp')
  await expect.poll(() => composer.inputValue()).toBe('!echo one')
  await press(page, 'ArrowDown', 'ArrowDown')
  await expect.poll(() => composer.inputValue()).toBe('')
  await composer.press('Control+r')
  const field = page.getByRole('combobox', { name: 'Earlier inputs' })
  await field.pressSequentially('ech one')
  await sees(page.getByRole('option', { name: /echo one/ }))
  await press(page, 'Enter')
  await expect.poll(() => composer.inputValue()).toBe('!echo one')
})

test('[WEB25] Ctrl+R says that nothing was found only when that is known', async () => {
  const session = await world.server.session()
  await session.run('echo there')
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  const held = await holdBack(page, '**/history?*')
  await composer.press('Control+r')
  const field = page.getByRole('combobox', { name: 'Earlier inputs' })
  const none = page.getByText('Nothing found')
  await field.waitFor()
  expect(await none.count()).toBe(0)
  held.release()
  await sees(page.getByRole('option', { name: /echo there/ }))
  await page.unroute('**/history?*')
  const again = await holdBack(page, '**/history?*')
  await field.pressSequentially('zzz')
  await page.getByRole('option', { name: /echo there/ }).waitFor({ state: 'detached' })
  expect(await none.count()).toBe(0)
  again.release()
  await sees(none)
})

test('[WEB25] a paste is text, whatever it begins with; a new line does not send', async () => {
  const session = await world.server.session()
  world.model.say('Pasted.')
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  await page.evaluate(() => navigator.clipboard.writeText('!rm -rf /\nand more'))
  await composer.focus()
  await press(page, 'Control+v')
  await sees('pasted text')
  expect(session.all('message')).toHaveLength(0)
  await press(page, 'Enter')
  await sees('Pasted.')
  expect(session.all('tool_request')).toHaveLength(0)
  await composer.pressSequentially('a')
  await press(page, 'Shift+Enter', 'b', 'Control+j', 'c', 'Alt+Enter', 'd', '\\', 'Enter', 'e')
  expect(await composer.inputValue()).toBe('a\nb\nc\nd\ne')
})

test('[WEB25] a draft is kept with its session, and over a reload', async () => {
  const [first, second] = [await world.server.session(), await world.server.session()]
  const { page, sees, composer } = await visit(world.server, { session: first.id })
  await composer.fill('half a thought')
  const go = async (id: string) => {
    await page.evaluate((session) => void (location.hash = `session=${session}`), id)
    await sees(page.locator('.connection.is-live'))
  }
  await go(second.id)
  await expect.poll(() => composer.inputValue()).toBe('')
  await composer.fill('another')
  await go(first.id)
  await expect.poll(() => composer.inputValue()).toBe('half a thought')
  await page.reload()
  await sees(composer)
  expect(await composer.inputValue()).toBe('half a thought')
})

test('[WEB31] keys that are faster than the session mean what they were meant for', async () => {
  const session = await world.server.session()
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  for (const command of ['!echo one', '!echo two', '!sleep 1000']) {
    await say(command)
    await sees(run(command))
  }
  const stops: string[] = []
  page.on('request', (sent) => /interrupt/.test(sent.url()) && stops.push(sent.url()))
  await composer.pressSequentially('/s')
  const list = page.getByRole('listbox', { name: 'Completions' })
  await sees(list)
  const completing = await holdBack(page, '**/complete?**')
  await composer.pressSequentially('h')
  // The list still shows what was offered before; Esc is for it, and not for what runs.
  await composer.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(stops).toEqual([])
  await composer.fill('')
  await composer.pressSequentially('/shel')
  await press(page, 'Tab')
  await expect.poll(() => completing.bodies.length).toBeGreaterThan(0)
  completing.release()
  await expect.poll(() => composer.inputValue()).toMatch(/^\/shell ?$/)

  await composer.fill('')
  const asking = await holdBack(page, '**/history?**')
  await press(page, 'ArrowUp', 'ArrowUp')
  await expect.poll(() => asking.bodies.length).toBeGreaterThan(0)
  asking.release()
  await expect.poll(() => composer.inputValue()).toBe('!echo two')
  await composer.fill('a thought')
  await press(page, 'Control+c')
  expect(await composer.inputValue()).toBe('')
  await press(page, 'ArrowUp')
  await expect.poll(() => composer.inputValue()).toBe('a thought')
})

test('[WEB25] a paste stays one over a reload and when it takes the place of what stood there', async () => {
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  await page.evaluate(() => navigator.clipboard.writeText('!touch pasted'))
  await composer.fill('something else')
  await composer.focus()
  await press(page, 'Control+a', 'Control+v')
  await sees('pasted text')
  await page.reload()
  await sees('pasted text')
  world.model.say('Only words.')
  await press(page, 'Tab')
  await composer.press('Enter')
  await sees('Only words.')
  expect(session.all('tool_request')).toHaveLength(0)
})

test('[WEB16] what one writes into a waiting input that the model takes meanwhile comes back', async () => {
  const session = await world.server.session()
  let finish = () => {}
  const ending = new Promise<void>((resolve) => (finish = resolve))
  world.model.say({ pieces: ['Working. <shell>true</shell>'], ending }, 'Taken.')
  const { page, say, sees, composer } = await visit(world.server, { session: session.id })
  await say('work')
  await sees('Working.')
  await say('and this')
  await page.locator('.queue').getByRole('button', { name: 'Edit' }).click()
  await page.keyboard.type(', but later')
  finish()
  await sees('Taken.')
  await expect.poll(() => composer.inputValue()).toBe('and this, but later')
})

test('[WEB25] bash mode outlives a reload with what was being typed', async () => {
  const session = await world.server.session()
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  await say('/bash')
  await sees('[BASH]')
  await composer.fill('echo half')
  await page.reload()
  await sees('[BASH]')
  expect(await composer.inputValue()).toBe('echo half')
  await composer.press('Enter')
  await sees(run(/^🖥 echo half — .*✓/))
  expect(session.all('message')).toHaveLength(0)
})
