import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { startHarness, type Harness } from './support/harness.ts'

let server: TestServer
let harness: Harness

beforeAll(async () => {
  server = await startServer()
  harness = await startHarness()
})

afterAll(async () => {
  await harness.close()
  await server.close()
})

test('[TERMWEB20] a recording is scrubbed and played by keys, and tells the chat the time it shows', async () => {
  const session = await server.session()
  await session.run('echo first-act')
  await session.run('sleep 1; echo second-act')
  await session.run('clear; echo third-act')
  const began = session.events[0]!.at
  const tab = await harness.open(server, { session: session.id, isReplay: true })
  onTestFinished(() => tab.close())
  const bar = tab.page.getByLabel('Place in the recording')
  await bar.waitFor()
  const time = () => tab.page.evaluate(() => Number(document.documentElement.dataset['at']))
  await bar.focus()
  await tab.page.keyboard.press('End')
  await tab.shows(/^third-act$/m)
  expect((await tab.lines()).join('\n')).not.toContain('first-act')
  const end = await time()
  expect(end).toBeGreaterThan(began - 1_000)
  await tab.page.keyboard.press('Home')
  await tab.page.waitForFunction(
    (after) => Number(document.documentElement.dataset['at']) < after,
    end,
  )
  await tab.page
    .locator('.xterm-accessibility-tree', { hasText: 'third-act' })
    .waitFor({ state: 'detached' })
  // Playing goes through all of it, and stops at the end.
  await tab.page.getByLabel('Speed').selectOption('8')
  await tab.page.getByRole('button', { name: 'Play' }).click()
  await tab.shows(/^third-act$/m)
  await tab.page.getByRole('button', { name: 'Play' }).waitFor()
  expect(await time()).toBe(end)
  expect(tab.faults).toEqual([])
  // It was looked at, not run: no shell is typed into.
  await tab.page.locator('.xterm-screen').click()
  await tab.page.keyboard.type('echo never\n')
  await session.run('echo fourth')
  expect(session.all('run_start')).toHaveLength(4)
  await tab.page.getByRole('button', { name: 'Back to the live terminal' }).click()
  await tab.page.locator('html[data-closed="yes"]').waitFor()
})
