import { beforeEach, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { holdBack, offerRule, press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

/** A card that can be answered: it is inert at first. */
const ready = '.ask-card .button.is-go:enabled'
const cardOf = (page: Page) => page.locator('.ask-card')
const buttonOf = (page: Page, name: string) => cardOf(page).getByRole('button', { name })

test('[WEB78] the grade of a command is told by colour and by words, and an unknown one is none of the harmless', async () => {
  const { page, say, sees } = await visit(world.server, { session: session.id })
  const shown: { grade: string | null; words: string; frame: string }[] = []
  for (const command of ['mv a b', 'mv a /elsewhere', 'no-such-program', 'rm -rf dist']) {
    world.model.say(`<shell>${command}</shell>`)
    await say('go on')
    await sees(page.locator('.ask-command', { hasText: command }))
    const words = await page.locator('.ask-grade').innerText()
    const look = await cardOf(page).evaluate((card) => ({
      grade: card.getAttribute('data-grade'),
      frame: getComputedStyle(card).borderLeftColor,
    }))
    shown.push({ ...look, words })
    await sees(page.locator(ready))
    await press(page, 'Alt+a', 'd')
    await cardOf(page).waitFor({ state: 'detached' })
  }
  expect(shown.map(({ grade, words }) => [grade, words])).toEqual([
    ['changes', 'Changes files here'],
    ['leaves', 'May leave this folder or use the network'],
    ['unknown', 'Nobody can say what it does'],
    ['destroys', 'Hard to undo'],
  ])
  const [changes, , unknown, destroys] = shown.map(({ frame }) => frame)
  expect(new Set([changes, unknown, destroys]).size).toBe(3)
})

test('[WEB78] Enter runs a focused card half a second after it appeared, and not before', async () => {
  world.model.say('<shell>mv a b</shell>', 'Moved.')
  const { page, say } = await visit(world.server, { session: session.id })
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(60_000)
  await say('move it')
  while ((await cardOf(page).count()) === 0) await page.clock.runFor(20)
  await cardOf(page).focus()
  for (const ms of [0, 440]) {
    await page.clock.runFor(ms)
    await press(page, 'Enter')
    expect(await buttonOf(page, 'Run').isDisabled()).toBe(true)
  }
  await page.clock.runFor(80)
  await press(page, 'Enter')
  const answer = await session.until('elicitation_response')
  expect(answer).toMatchObject({ outcome: 'allow' })
})

test('[WEB78] what is hard to undo is denied by Enter, and run by a key of its own that is on its button', async () => {
  const { page, say, sees } = await visit(world.server, { session: session.id })
  world.model.say('<shell>rm -rf one</shell>', '(nobody asks)')
  await say('clean up')
  await sees(page.locator(ready))
  expect(await page.locator(ready).innerText()).toMatch(/^Deny\s+Enter$/)
  expect(await buttonOf(page, 'Run').innerText()).toMatch(/^Run\s+Shift\+R$/)
  await press(page, 'Alt+a', 'Enter')
  await sees('Denied by you')
  world.model.hush()
  world.model.say('<shell>rm -rf two</shell>', 'Gone.')
  await say('clean up')
  await sees(page.locator(ready))
  await press(page, 'Alt+a', 'r', 'y', 'e')
  // As it was it takes its own key also from the line where it could be edited.
  await press(page, 'Enter')
  expect(await buttonOf(page, 'Run edited').isDisabled()).toBe(true)
  await press(page, 'Escape', 'Shift+R')
  await sees('Gone.')
  expect(session.all('elicitation_response')).toMatchObject([
    { outcome: 'deny' },
    { outcome: 'allow' },
  ])
  await page.getByRole('log').focus()
  await press(page, '?')
  await sees(page.getByRole('dialog', { name: 'Help' }).getByText('Shift+R'))
})

test('[WEB78] of a long command nothing can be said yes to before all of it was shown', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `echo ${at} >> report`)
  const command = lines.join('\n')
  world.model.say(`<shell>${command}</shell>`, 'Written.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await offerRule(page, 'some words')
  await page.reload()
  await sees(page.locator('.connection.is-live'))
  await say('write it')
  const deny = buttonOf(page, 'Deny d')
  await deny.and(page.locator(':enabled')).waitFor()
  expect(await page.locator('.ask-command').innerText()).not.toContain('echo 39')
  for (const name of ['Run', 'Edit', 'Allow more'])
    expect(await buttonOf(page, name).isDisabled()).toBe(true)
  await cardOf(page).focus()
  await press(page, 'Enter', 'e', 'm')
  expect(session.all('elicitation_response')).toEqual([])
  expect(await cardOf(page).getByRole('textbox').count()).toBe(0)
  await press(page, 'a')
  expect(await page.locator('.ask-command').innerText()).toBe(command)
  // It is read from its start, although the list follows its end.
  await sees(page.locator(ready))
  const top = () => page.locator('.ask-command').evaluate((pre) => pre.getBoundingClientRect().top)
  expect(await top()).toBeGreaterThan(0)
  await sees(page.locator(ready))
  await press(page, 'Enter')
  await sees('Written.')
  expect(session.all('elicitation_response')).toMatchObject([{ outcome: 'allow' }])
})

test('[WEB78] a yes for the reply, the session or the folder says first what it covers and how it ends', async () => {
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await offerRule(page, 'mv with any files, in this folder')
  await page.reload()
  await sees(page.locator('.connection.is-live'))
  world.model.say('<shell>mv a b</shell>\n<shell>mv c d</shell>\n<shell>mv e f</shell>')
  await say('move them')
  await sees(page.locator(ready))
  // Before their words were shown their keys do nothing.
  await press(page, 'Alt+a', 's', 'f', 'r', 'm')
  const wider = cardOf(page).getByRole('group', { name: 'Allow more than this once' })
  const texts = await wider.locator('.ask-choice-about').allInnerTexts()
  expect(texts.map((text) => text.split('\n'))).toEqual([
    [
      'mv c d',
      'mv e f',
      'Each only if the shell is still in the state that it is shown for; what is hard to undo, or nobody can judge, asks all the same.',
    ],
    ['mv with any files, in this folder', 'Until this session ends; /approval takes it back.'],
    [
      'mv with any files, in this folder',
      'In every session here, until tandem approval rm takes it back.',
    ],
  ])
  const answers = await holdBack(page, '**/answer')
  await press(page, 'Escape', 'm', 's')
  await expect.poll(() => answers.bodies).toHaveLength(1)
  expect(answers.bodies.map((body) => JSON.parse(body))).toMatchObject([
    { outcome: 'allow', scope: 'session' },
  ])
})

test('[WEB78] settings of the shell that are all a command asks for are read, and taken by their key: it does not ask again', async () => {
  await session.run('export EDITOR=vim')
  world.model.say('<shell>ls</shell>', '<shell>ls -a</shell>', 'Listed.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('list')
  await sees(page.locator(ready))
  await press(page, 'Alt+a', 'm')
  const wider = cardOf(page).getByRole('group', { name: 'Allow more than this once' })
  await sees(wider.getByText('EDITOR is `vim` now'))
  await press(page, 'k')
  await sees('Listed.')
  await sees('Allowed with the shell’s settings by you')
  expect(session.all('elicitation_response')).toMatchObject([{ outcome: 'allow', scope: 'shell' }])
})

test.each([
  ['r', 'This and the rest of this reply', 'reply'],
  ['s', 'This, for the rest of the session', 'session'],
  ['f', 'Always in this folder', 'folder'],
])('[WEB78] %j and the button %j send the scope %s', async (key, name, scope) => {
  const { page, sees } = await visit(world.server, { session: session.id })
  await offerRule(page, 'mv with any files, in this folder')
  await page.reload()
  await sees(page.locator('.connection.is-live'))
  world.model.say('<shell>mv a b</shell>\n<shell>mv c d</shell>')
  await session.send('move them')
  await sees(page.locator(ready))
  const bodies: unknown[] = []
  // Answers are refused, so that the card stays and can be answered again.
  await page.route('**/answer', async (route) => {
    bodies.push(JSON.parse(route.request().postData() ?? ''))
    await route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'later' } } })
  })
  await press(page, 'Alt+a', 'm', key)
  await expect.poll(() => bodies).toHaveLength(1)
  await buttonOf(page, name).and(page.locator(':enabled')).click()
  await expect.poll(() => bodies).toHaveLength(2)
  expect(bodies).toMatchObject([
    { outcome: 'allow', scope },
    { outcome: 'allow', scope },
  ])
})
