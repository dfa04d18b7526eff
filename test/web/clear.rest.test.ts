import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openTestSession } from '../support/session.ts'
import { useServer } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { openTerminal, type TerminalPage } from './terminal/support/terminal-page.ts'

const world = useServer()
const visit = useBrowser()

async function opened(): Promise<{ tab: TerminalPage; id: string }> {
  const { id } = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: id })
  await tab.shows(/[$#]$/)
  return { tab, id }
}

/** The session that the page shows, once it is another one than this. */
async function sessionAfter({ page }: TerminalPage, before: string): Promise<string> {
  const [id] = (await expect
    .poll(async () => [...page.url().matchAll(/[0-9a-f-]{36}/g)].map(([found]) => found))
    .not.toContain(before)
    .then(() => page.url().match(/[0-9a-f-]{36}/))) ?? ['']
  return id ?? ''
}

test('[MOVE18] Clear goes on in the same terminal with its screen; the session before says where it is, and offers another shell', async () => {
  const { tab, id } = await opened()
  const { page } = tab
  await tab.focus()
  await page.keyboard.type('KEPT=yes; cd /tmp; echo first-words\n')
  await tab.shows(/^first-words$/m)
  await page.getByRole('button', { name: 'Clear' }).click()
  const next = await sessionAfter(tab, id)
  await tab.shows(/^first-words$/m)
  await page.getByText('The terminal came along').waitFor()
  // Nothing was said here yet, and what one could say is offered.
  await page.getByRole('button', { name: '!git status' }).waitFor()
  await tab.focus()
  await page.keyboard.type('echo "$KEPT in $PWD"\n')
  await tab.shows(/^yes in \/tmp$/m)
  // By words as well; the terminal is the third session's then.
  await page
    .getByRole('textbox', { name: /message|command/i })
    .first()
    .fill('/clear')
  await page.keyboard.press('Enter')
  await sessionAfter(tab, next)
  await tab.shows(/^yes in \/tmp$/m)

  await page.getByRole('button', { name: 'The terminal came along' }).click()
  await expect.poll(() => page.url()).toContain(next)
  await page.locator('.terminal-who', { hasText: 'Moved to another session' }).waitFor()
  await page.getByRole('button', { name: 'The terminal moved to another session' }).waitFor()
  const left = openTestSession(world.server.client, next)
  await left.live()
  expect(left.all('shell_start')).toHaveLength(1)
  await page.getByRole('button', { name: 'New shell' }).click()
  await left.until('shell_start', 2)
  expect((await left.run('echo "[$KEPT]"')).content).toContain('\n[]\n')
  await tab.shows(/^\[\]$/m)
})

test('[MOVE18] Clear with a program in the terminal begins with a shell of its own and says where the program goes on', async () => {
  const { tab, id } = await opened()
  const { page } = tab
  await tab.focus()
  await page.keyboard.type('cat\n')
  const before = openTestSession(world.server.client, id)
  await before.until('run_start')
  await page.getByRole('button', { name: 'Clear' }).click()
  const next = await sessionAfter(tab, id)
  await page.getByText('it goes on in the session before this one').waitFor()
  await tab.shows(/[$#]$/)
  const { shell } = await world.server.client.call(routes.session, { params: { id: next } })
  expect(shell?.pid).not.toBe((await before.view()).shell?.pid)
  expect((await before.view()).open.runs).toHaveLength(1)
})
