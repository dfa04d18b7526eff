import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeGate } from '../faults/support/gate.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { holdBack, holdSocket, press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()
let session: TestSession
let asked: number

beforeEach(async () => {
  world.model.hush()
  asked = world.model.requests.length
  session = await world.server.session()
})

/** A card that can be answered: it is inert at first. */
const ready = '.ask-card .button.is-go:enabled'

test('[WEB9] a turn of two steps is drawn as it happens: words, the command, its run, more words', async () => {
  const reply = 'First **this**:\n\n<shell>pwd</shell>\n\nand then we see.'
  world.model.say(reply, 'It said `so`.')
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('show me')
  await sees(page.locator('.reply strong', { hasText: 'this' }))
  await sees(run(/^🖥 pwd — .*✓/).getByText(world.server.workspace, { exact: true }))
  await sees(page.locator('.reply code', { hasText: 'so' }))
  const texts = await page.locator('.row').allInnerTexts()
  const order = ['show me', 'First this', '🖥 pwd', 'It said'].map((part) =>
    texts.findIndex((text) => text.includes(part)),
  )
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(await page.locator('.reply').first().innerText()).not.toContain('<shell>')
  const stored = session.all('message').find((message) => message.role === 'assistant')
  expect(stored?.parts).toEqual([{ type: 'text', text: reply }])
  // What the provider counted, and nothing else: two steps of 100 in, 7 out, 64 cached.
  await sees(page.locator('.meter', { hasText: '107 tokens' }))
  await page.locator('.meter button').click()
  await sees(page.locator('.meter-detail', { hasText: '200 in · 14 out · 128 cached (64%)' }))
})

test('[WEB10] an approval never takes the focus, is inert at first, and runs by Enter on the card', async () => {
  const folder = join(world.server.workspace, 'dist')
  await mkdir(folder)
  world.model.say('<shell>rm -rf dist</shell>', 'Gone.')
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  await say('clean up')
  const card = page.locator('.ask-card')
  await sees(card)
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)
  await sees(card.getByText(world.server.workspace))
  await sees(card.getByText('deletes the folder dist'))
  await sees(card.locator('.is-destroys', { hasText: 'Hard to undo' }))
  await sees(page.locator(ready))
  await press(page, 'Alt+a')
  expect(await card.evaluate((element) => element === document.activeElement)).toBe(true)
  await press(page, 'Shift+R')
  await sees('Gone.')
  await sees(run('rm -rf dist').getByText('Allowed by you'))
  expect(existsSync(folder)).toBe(false)
  await session.until('elicitation_response')
})

test('[WEB10] in its first half second a card takes no answer', async () => {
  world.model.say('<shell>rm -rf early</shell>', 'Left.')
  const { page, say } = await visit(world.server, { session: session.id })
  // Time stands still but for what is asked of it, so that the half second has an exact end.
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(60_000)
  await say('clean up')
  const card = page.locator('.ask-card')
  while ((await card.count()) === 0) await page.clock.runFor(20)
  await card.focus()
  const run = card.getByRole('button', { name: 'Run' })
  for (const ms of [0, 440]) {
    await page.clock.runFor(ms)
    await press(page, 'Enter', 'd')
    expect(await run.isDisabled()).toBe(true)
  }
  await page.clock.runFor(80)
  expect(await run.isDisabled()).toBe(false)
  await press(page, 'd')
  await session.until('elicitation_response')
  const denied = page.getByText('Denied by you')
  while ((await denied.count()) === 0) await page.clock.runFor(20)
  expect(session.all('elicitation_response')).toMatchObject([{ outcome: 'deny' }])
})

test('[WEB10] an answer is given once, however often the key is pressed', async () => {
  world.model.say('<shell>rm -rf twice</shell>', 'Well.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  await sees(page.locator(ready))
  const answers = await holdBack(page, '**/answer')
  const card = page.locator('.ask-card')
  await card.focus()
  await press(page, 'Shift+R')
  await card.focus()
  await press(page, 'Shift+R', 'Enter', 'd')
  answers.release()
  await sees('Well.')
  expect(answers.bodies).toHaveLength(1)
})

test('[WEB10] an approval that was answered takes no second answer before the log tells of the first', async () => {
  world.model.say('<shell>rm -rf slow</shell>', 'Well.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  const line = await holdSocket(page)
  await page.reload()
  await sees(page.locator('.connection.is-live'))
  await say('clean up')
  await sees(page.locator(ready))
  line.hold()
  const answered = page.waitForResponse('**/answer')
  const run = page.locator('.ask-card').getByRole('button', { name: 'Run' })
  await run.click()
  await (await answered).finished()
  await session.until('elicitation_response')
  expect(await run.isDisabled()).toBe(true)
  line.release()
  await sees('Well.')
})

test('[WEB10] a command can be denied with a word, which the model reads', async () => {
  world.model.say('<shell>rm -rf build</shell>', 'Then I leave it.')
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  await page.getByRole('button', { name: 'Deny and explain' }).click()
  await page.keyboard.type('keep it, we ship from there')
  await press(page, 'Enter')
  await sees('Then I leave it.')
  await sees(run('rm -rf build').getByText('Denied by you: “keep it, we ship from there”'))
  expect((await world.model.request(asked + 2)).body).toContain('keep it, we ship from there')
})

test('[WEB10] a command can be edited before it runs; the edited one runs', async () => {
  world.model.say('<shell>rm -rf everything</shell>', 'Fine.')
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  await sees(page.locator(ready))
  await page.locator('.ask-card').focus()
  await press(page, 'e', 'Control+a')
  await page.keyboard.type('echo nothing')
  await press(page, 'Enter')
  await sees(run(/^🖥 echo nothing — .*✓/))
  expect(session.all('elicitation_response')).toMatchObject([{ command: 'echo nothing' }])
})

test('[WEB14] nothing in a command can hide: unseen characters are named, and cannot turn the line', async () => {
  const evil = 'rm -rf \u202Egpj.\u202C\u200Bsafe\u00A0'
  world.model.say(`<shell>${evil}</shell>`, 'Done.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  const card = page.locator('.ask-card')
  await sees(card)
  const names = await card.locator('.ask-command .hidden-character').allInnerTexts()
  const raw = (await session.until('elicitation_request')).command
  const hidden = raw.match(/[\u202E\u202C\u200B\u00A0]/g) ?? []
  expect(names).toHaveLength(hidden.length)
  expect(names).toContain('U+202E')
  expect(await card.locator('.ask-command').evaluate((pre) => pre.textContent)).not.toContain(
    '\u202E',
  )
})

test('[WEB15] a reload in the middle of a reply shows it from its first word, and goes on', async () => {
  let release = () => {}
  const ending = new Promise<void>((resolve) => (release = resolve))
  world.model.say({ pieces: ['Once upon a time ', 'there was a shell'], ending })
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('tell me')
  await sees('Once upon a time there was a shell')
  await page.reload()
  await sees('Once upon a time there was a shell')
  expect(await page.locator('.prompt', { hasText: 'tell me' }).count()).toBe(1)
  release()
  await sees(page.locator('.reply[aria-busy="false"]'))
  expect(await page.locator('.reply').count()).toBe(1)
})

test('[WEB16] what is said while the model is at work waits in sight, and can be changed or withdrawn', async () => {
  let release = () => {}
  const ending = new Promise<void>((resolve) => (release = resolve))
  world.model.say({ pieces: ['Working. <shell>true</shell>'], ending }, 'Seen.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('work')
  await sees('Working.')
  await say('and then this')
  await say('not this')
  const queue = page.locator('.queue li')
  await queue.nth(1).getByRole('button', { name: 'Withdraw' }).click()
  await queue.nth(0).getByRole('button', { name: 'Edit' }).click()
  await press(page, 'Control+a')
  await page.keyboard.type('and then that')
  await press(page, 'Enter')
  await sees(page.locator('.queue li', { hasText: 'and then that' }))
  expect(await queue.count()).toBe(1)
  release()
  await sees('Seen.')
  await sees(page.locator('.prompt', { hasText: 'and then that' }))
  const { body } = await world.model.request(asked + 2)
  expect(body).toContain('and then that')
  expect(body).not.toContain('not this')
})

test('[WEB16] two browsers on one session see the same, and the first answer counts', async () => {
  world.model.say('<shell>rm -rf shared</shell>', 'As you like.')
  const one = await visit(world.server, { session: session.id })
  const two = await visit(world.server, { session: session.id })
  await one.say('clean up')
  await two.sees(two.page.locator('.ask-card'))
  await one.page.getByRole('button', { name: 'Deny Enter', exact: true }).click()
  for (const { sees } of [one, two]) await sees('Denied by')
  await two.say('!echo from two')
  for (const { run, sees } of [one, two])
    await sees(run(/echo from two — .*✓/).getByText('from two', { exact: true }))
  const rows = (page: typeof one.page) => page.locator('.row').allInnerTexts()
  expect(await rows(one.page)).toEqual(await rows(two.page))
})

test('[APP60] a yes that did not count is told as such, and the new question says that it is asked again', async () => {
  world.model.say('<shell>rm -rf dist</shell>', 'Ok.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  await sees(page.locator(ready))
  const gate = makeGate(world.server.workspace, 'moved-gate')
  await session.send(`!cd / ; ${gate.wait}`)
  await session.until('run_start')
  await page.locator('.ask-card').getByRole('button', { name: 'Run' }).click()
  await sees('The shell has changed since this was judged, so it is asked again.')
  await gate.open()
  const card = page.locator('.ask-card')
  await sees(card.getByText('the shell has changed since it was judged'))
  await sees(page.locator(ready))
  await session.answer('deny')
})
