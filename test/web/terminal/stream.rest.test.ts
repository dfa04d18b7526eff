// takes: 44 s
import { expect, test } from 'vitest'
import { useServer } from '../../support/world.ts'
import { useBrowser } from '../support/browser.ts'
import { openTerminal } from './support/terminal-page.ts'

const world = useServer()
const visit = useBrowser()

test('[TERMWEB11] through a flood of 50 MB the page answers, and ends with the screen as it is', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: session.id })
  await tab.shows(/[$#]$/)
  const over = new AbortController()
  let answers = 0
  const ask = async () => {
    // Each asks the page's own thread, and only when the last was answered.
    for (; !over.signal.aborted; answers += 1)
      await tab.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  const asking = ask().catch(() => undefined)
  await session.send(
    "!seq -f '%015.0f of a flood that goes on and on' 1 1100000; echo flood-ov''er",
  )
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
  const { bytes } = session.all('run_end')[0]!
  expect(bytes).toBeGreaterThan(50_000_000)
  await tab.shows(/^flood-over$/m)
  over.abort()
  await asking
  expect(answers).toBeGreaterThan(10)
  const lines = await tab.lines()
  const last = lines.indexOf('flood-over')
  expect(lines.slice(last - 3, last)).toEqual(
    [1_099_998, 1_099_999, 1_100_000].map(
      (n) => `${String(n).padStart(15, '0')} of a flood that goes on and on`,
    ),
  )
  await tab.focus()
  await tab.page.keyboard.type('echo still-a""live\n')
  await tab.shows(/^still-alive$/m)
  expect(tab.faults).toEqual([])
})

test('[TERMWEB11] a reload in mid-stream shows the same screen and goes on', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: session.id })
  await tab.shows(/[$#]$/)
  await session.send(
    "!for i in $(seq 1 30); do echo line-$i; done; read -r go; seq 1 20000; echo str''eam-$go",
  )
  await tab.shows(/^line-30$/m)
  const before = await tab.lines()
  await tab.page.reload()
  await tab.shows(/^line-30$/m)
  expect(await tab.lines()).toEqual(before)
  await tab.focus()
  await tab.page.keyboard.type('on\n')
  await tab.page.reload()
  await tab.shows(/^stream-on$/m)
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
})

test('[TERMWEB11] a server that is killed and started again in mid-run comes back by itself', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: session.id })
  await tab.shows(/[$#]$/)
  await session.send('!echo be""gun; read -r line; echo "got <$line>"')
  await tab.shows(/^begun$/m)
  await world.server.kill()
  await tab.page.locator('.terminal-notice').filter({ hasText: 'Not connected' }).waitFor()
  await tab.focus()
  await tab.page.keyboard.type('x')
  await tab.page.locator('.terminal-notice').filter({ hasText: 'was not sent' }).waitFor()
  await world.server.restart()
  await tab.page.locator('.connection.is-live').waitFor()
  await tab.page
    .locator('.terminal-notice')
    .filter({ hasText: 'Not connected' })
    .waitFor({ state: 'detached' })
  await tab.page.keyboard.type('hello\n')
  await tab.shows(/^got <hello>$/m)
  expect(tab.faults).toEqual([])
})

test('[TERMWEB14] two browsers of different sizes see one terminal of the smaller; a narrow one pans at 80 columns', async () => {
  const session = await world.server.session()
  const wide = await openTerminal(visit, world.server, {
    session: session.id,
    width: 1_200,
    height: 800,
  })
  await wide.shows(/[$#]$/)
  await session.run('stty size')
  const phone = await openTerminal(visit, world.server, {
    session: session.id,
    width: 390,
    height: 700,
  })
  await phone.shows(/[$#]$/)
  await session.run('clear; stty size')
  for (const tab of [wide, phone]) await tab.shows(/^\d+ 80\n.*[$#]$/m)
  expect(await phone.lines()).toEqual(await wide.lines())
  await wide.page
    .locator('.terminal-notice')
    .filter({ hasText: /80×\d+, so that all who look can see it/ })
    .waitFor()
  const pans = await phone.page
    .locator('.terminal-place')
    .evaluate((place) => place.scrollWidth > place.clientWidth)
  expect(pans).toBe(true)
  // The page itself does not.
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
    true,
  )
  await phone.close()
  await wide.page.locator('.terminal-notice').filter({ hasText: /^F6/ }).waitFor()
})

test('[TERMWEB14] on a phone a bar has the keys its keyboard lacks, and Ctrl holds for one key', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, {
    session: session.id,
    width: 390,
    height: 700,
  })
  await tab.shows(/[$#]$/)
  const key = (name: string) =>
    tab.page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true })
  await tab.focus()
  await tab.page.keyboard.type('echo from-hist""ory\n')
  await tab.shows(/^from-history$/m)
  await key('Up').click()
  await tab.page.keyboard.press('Enter')
  await tab.shows(/^from-history[\s\S]*^from-history$/m)
  await session.send('!cat')
  await session.until('run_start', 3)
  await tab.page.locator('.terminal-acts button', { hasText: 'Stop' }).waitFor()
  await key('Ctrl').click()
  await tab.page.locator('.terminal-keys [aria-pressed="true"]').waitFor()
  await tab.page.keyboard.type('c')
  await tab.page.locator('.terminal-keys [aria-pressed="false"]').waitFor()
  expect(await session.until('run_end', 3)).toMatchObject({ exitCode: 130 })
  // A pager or an editor asks for arrows of its own kind.
  await session.send(String.raw`!printf 'asked\033[?1h'; cat`)
  await tab.shows('asked')
  await key('Up').click()
  await tab.shows('^[OA')
  await key('Ctrl').click()
  await key('Left').click()
  await tab.shows('^[OA^[[1;5D')
})

test('[TERMWEB14] on a phone that looks alone the terminal has all the room there is', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, {
    session: session.id,
    width: 390,
    height: 700,
    screen: { hasTouch: true, isMobile: true },
  })
  await tab.shows(/[$#]$/)
  await session.run('clear; stty size')
  await tab.shows(/^\d+ 80$/m)
  expect(await tab.page.locator('.terminal-notice').isVisible()).toBe(false)
})
