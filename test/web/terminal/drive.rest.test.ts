// needs: python3
// takes: 60 s
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import type { TestSession } from '../../support/session.ts'
import { useBrowser } from '../support/browser.ts'
import { openTerminal, type TerminalPage } from './support/terminal-page.ts'

let model: ScriptedModel
let server: TestServer
const visit = useBrowser()
let session: TestSession
let tab: TerminalPage

beforeAll(async () => {
  model = await startScriptedModel()
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl } })
})

beforeEach(async () => {
  model.hush()
  session = await server.session()
  tab = await openTerminal(visit, server, { session: session.id })
  await tab.shows(/[$#]$/)
})

afterAll(async () => {
  await server.close()
  await model.close()
})

const button = (name: string) =>
  tab.page.locator('.terminal').getByRole('button', { name, exact: true })
const notice = (text: string | RegExp) =>
  tab.page.locator('.terminal-notice').filter({ hasText: text }).waitFor()
const who = (text: string) => tab.page.locator('.terminal-who').filter({ hasText: text }).waitFor()

async function modelRuns(command: string, after = 'Done.'): Promise<void> {
  model.say(`<shell>${command}</shell>`, after)
  await session.send('go')
  await session.answer('allow')
  await session.until('run_start')
}

test('[LANE10] in a program of the model a person takes over, types and hands back', async () => {
  await modelRuns('python3 -q')
  await who('The model is typing here')
  await tab.shows(/>>> ?$/)
  await tab.focus()
  await tab.page.keyboard.type('x')
  await notice('The model is typing here. Take over to type')
  await button('Take over').click()
  await who('You have the keyboard')
  // Whoever takes over wants to type.
  await tab.page.keyboard.type('print(6 * 7)\n')
  await tab.shows(/^42$/m)
  expect((await tab.lines()).join('\n')).not.toContain('>>> x')
  await button('Hand back').click()
  await who('The model is typing here')
  await button('Take over').click()
  await who('You have the keyboard')
  await tab.focus()
  await tab.page.keyboard.type('exit()\n')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  await button('Take over').waitFor({ state: 'detached' })
})

test('[LANE10] a password prompt hands the keyboard to the person with a plain notice, and shows nothing of it', async () => {
  await modelRuns('read -rs -p "Password: " p; echo; echo "length ${#p}"')
  await notice('A password is asked for. The keyboard is yours')
  await tab.focus()
  await tab.page.keyboard.type('hunter2!\n')
  await tab.shows('length 8')
  await session.until('agent_end')
  expect((await tab.lines()).join('\n')).not.toContain('hunter2')
  expect(await tab.page.content()).not.toContain('hunter2')
  await tab.page.locator('.terminal-notice[data-kind="secret"]').waitFor({ state: 'detached' })
})

test('[TERMWEB7] Stop ends what runs and says which step took effect', async () => {
  await session.send('!sleep 1000')
  await session.until('run_start')
  await button('Stop').click()
  await notice('Stopped by Ctrl+C.')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 130 })
  await button('Stop').waitFor({ state: 'detached' })
  await session.send("!bash -c \"trap '' INT; echo de''af; while :; do sleep 1000; done\"")
  await session.until('run_start', 2)
  await tab.shows('deaf')
  await button('Stop').click()
  await notice('Ctrl+C sent; it still runs. The next step is TERM.')
  await button('End it').click()
  await notice('Stopped by TERM.')
  expect(await session.until('run_end', 2)).toMatchObject({ exitCode: 143 })
  await modelRuns('sleep 1000')
  await button('Stop').click()
  await notice('Stopped by Ctrl+C.')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'aborted' })
})

test('[TERMWEB7] a shell is restarted after a second word, and one that has ended at once', async () => {
  await session.run('gone=before')
  await button('Restart').click()
  await button('Restart now').click()
  expect(await session.until('shell_exit')).toMatchObject({ reason: 'restarted' })
  await session.until('shell_start', 2)
  await tab.shows(/[$#]$/)
  await tab.focus()
  await tab.page.keyboard.type('echo "[$gone]"\n')
  await tab.shows(/^\[\]$/m)
  await tab.page.keyboard.type('exit\n')
  await who('The shell has ended')
  await button('Restart').click()
  await session.until('shell_start', 3)
  await tab.shows(/[$#]$/)
})

test('[TERMWEB9] the terminal takes no focus by itself; F6 leaves it, and what is found is marked', async () => {
  const focused = () =>
    tab.page.evaluate(() => document.activeElement?.id || document.activeElement?.className)
  const inTerminal = 'xterm-helper-textarea'
  await tab.composer.focus()
  await modelRuns('eval echo needle-here')
  await session.until('agent_end')
  await tab.shows('needle-here')
  expect(await focused()).toBe('composer')
  await tab.focus()
  expect(await focused()).toBe(inTerminal)
  await tab.page.keyboard.press('F6')
  expect(await focused()).toBe('composer')
  await tab.focus()
  await tab.page.keyboard.press('Control+Shift+F')
  const field = tab.page.getByLabel('Find in the terminal')
  await field.waitFor()
  await field.fill('no-such-needle')
  await tab.page.getByText('Not found').waitFor()
  await field.fill('needle-here')
  await tab.page.getByText('Not found').waitFor({ state: 'detached' })
  // The one of them that is meant has a border.
  await expect
    .poll(() =>
      tab.page
        .locator('.xterm-decoration')
        .evaluateAll((all) => all.filter((each) => each.style.outlineStyle === 'solid').length),
    )
    .toBe(1)
  await tab.page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  expect(await focused()).toBe(inTerminal)
})

test('[TERMWEB9] a paste is marked as one where a program asks for it, and comes whole', async () => {
  await tab.focus()
  const paste = `echo one\necho two\n${'#'.repeat(20_000)}`
  await tab.page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, paste)
  // The shell asked for marked pastes, so nothing has run yet.
  await tab.shows('####')
  expect(session.all('run_start')).toEqual([])
  await tab.page.keyboard.press('Enter')
  await tab.shows(/^one$/m)
  await tab.shows(/^two$/m)
})

test('[TERMWEB9] in the terminal the keys of the page are those of the program', async () => {
  await tab.focus()
  await tab.page.keyboard.type('echo kept-gone')
  for (let n = 0; n < 5; n += 1) await tab.page.keyboard.press('Control+b')
  await tab.page.keyboard.press('Control+k')
  await tab.page.keyboard.press('Alt+b')
  await tab.page.keyboard.type('was-')
  await tab.page.keyboard.press('Control+e')
  await tab.page.keyboard.type('/?')
  await tab.page.keyboard.press('Enter')
  await tab.shows(/^was-kept\/\?$/m)
  expect(await tab.page.getByRole('dialog').count()).toBe(0)
})

test('[TERMWEB9] what is selected is copied by Ctrl+Shift+C, and at once where a person chose that', async () => {
  const copied = () => tab.page.evaluate(() => navigator.clipboard.readText())
  await session.run('clear; echo needle-one; echo needle-two')
  await tab.shows(/^needle-two$/m)
  const pick = async (text: string) => {
    const lines = await tab.lines()
    const box = (await tab.page.locator('.xterm-screen').boundingBox())!
    const row = box.height / lines.length
    await tab.page.mouse.dblclick(box.x + 12, box.y + row * (lines.indexOf(text) + 0.5))
  }
  await tab.page.evaluate(() => navigator.clipboard.writeText('before'))
  await pick('needle-one')
  expect(await copied()).toBe('before')
  await tab.page.keyboard.press('Control+Shift+C')
  await tab.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== 'before')
  expect(await copied()).toBe('needle-one')
  await tab.page.getByLabel('Terminal options').click()
  await tab.page.getByLabel('Copy what is selected').check()
  await tab.page.getByLabel('Terminal options').click()
  await pick('needle-two')
  await tab.page.waitForFunction(
    async () => (await navigator.clipboard.readText()) === 'needle-two',
  )
})

test('[TERMWEB7] a shell inside the shell is offered for adoption, and what only looks like one is not', async () => {
  await tab.focus()
  await tab.page.keyboard.type('python3 -q\n')
  await tab.shows(/>>> ?$/)
  await notice('F6 leaves the terminal')
  expect(await button('Adopt this shell').count()).toBe(0)
  await tab.page.keyboard.type('exit()\n')
  await session.until('run_end')
  await tab.page.keyboard.type('PS1="inner> " bash --norc\n')
  await notice('A shell of its own runs in this one.')
  await tab.page.keyboard.press('F6')
  await tab.page.keyboard.press('Control+k')
  const palette = tab.page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('option', { name: 'Adopt the shell' }).waitFor()
  await tab.page.keyboard.press('Escape')
  await button('Adopt this shell').click()
  await session.until('shell_adopt')
  await button('Adopt this shell').waitFor({ state: 'detached' })
  await session.send('!false')
  expect(await session.until('run_end', 2)).toMatchObject({ exitCode: 1 })
})

test('[TERMWEB7] a shell that was restarted from elsewhere is there again at once', async () => {
  await session.run('gone=before')
  await tab.page.keyboard.press('Control+k')
  await tab.page.getByRole('combobox', { name: 'Commands' }).fill('restart the shell')
  await tab.page.keyboard.press('Enter')
  await session.until('shell_start', 2)
  await tab.shows(/[$#]$/)
  await tab.focus()
  await tab.page.keyboard.type('echo "[$gone]"\n')
  await tab.shows(/^\[\]$/m)
})

test('[TERMWEB9] the options of the terminal close when one turns to something else', async () => {
  const menu = tab.page.getByLabel('Screen reader mode')
  await tab.page.getByLabel('Terminal options').click()
  await menu.waitFor()
  await tab.focus()
  await menu.waitFor({ state: 'detached' })
  await tab.page.getByLabel('Terminal options').click()
  await menu.focus()
  await tab.page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await tab.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Terminal options',
  )
})

test('[TERMWEB7] the question before a restart is answered by keys, and one types into the new shell at once', async () => {
  const isFocused = (name: string) =>
    expect.poll(() => button(name).evaluate((it) => it === document.activeElement)).toBe(true)
  await session.run('gone=before')
  await button('Restart').press('Enter')
  await isFocused('Keep it')
  await tab.page.keyboard.press('Escape')
  await isFocused('Restart')
  await tab.page.keyboard.press('Enter')
  await isFocused('Keep it')
  await tab.page.keyboard.press('Shift+Tab')
  await tab.page.keyboard.press('Enter')
  await session.until('shell_start', 2)
  await tab.shows(/[$#]$/)
  await tab.page.keyboard.type('echo "[$gone]"\n')
  await tab.shows(/^\[\]$/m)
})
