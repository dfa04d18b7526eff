import { beforeEach, expect, test } from 'vitest'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

test('[VIEW16] thoughts stay folded under a clock until somebody opens them, by keys too, and stay with their reply', async () => {
  let release = () => {}
  const ending = new Promise<void>((resolve) => (release = resolve))
  const thoughts = ['First **this**, ', 'then that.']
  world.model.say({ thoughts, pieces: [], ending, lastly: 'Done.' })
  const { page, say, sees, faults } = await visit(world.server, { session: session.id })
  await say('think')
  const line = page.getByRole('button', { name: /^Thinking… \d+ s$/ })
  await sees(line)
  expect(await line.getAttribute('aria-expanded')).toBe('false')
  expect(await page.locator('.thoughts-text').count()).toBe(0)
  await line.press('Enter')
  await sees(page.locator('.thoughts-text strong', { hasText: 'this' }))
  release()
  const after = page.getByRole('button', { name: /^Thought for/ })
  await sees(after)
  expect(await after.getAttribute('aria-expanded')).toBe('true')
  expect(await after.evaluate((element) => element === document.activeElement)).toBe(true)
  await session.until('agent_end')
  expect(session.all('message').at(-1)?.parts).toMatchObject([
    { type: 'thinking', text: 'First **this**, then that.' },
    { type: 'text', text: 'Done.' },
  ])
  await after.click()
  expect(await page.locator('.thoughts-text').count()).toBe(0)
  expect(faults).toEqual([])
})

test('[VIEW16] what a cut attempt thought is gone from sight when the request is sent again', async () => {
  let release = () => {}
  const ending = new Promise<void>((resolve) => (release = resolve))
  world.model.say(
    { thoughts: ['of the first'], pieces: [], ending: 'cut' },
    { thoughts: ['of the second'], pieces: [], ending, lastly: 'Done.' },
  )
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('think')
  await sees('Trying again')
  await page.getByRole('button', { name: /^Thinking…/ }).click()
  await sees(page.locator('.thoughts-text', { hasText: /^of the second$/ }))
  release()
  await session.until('agent_end')
})

test('[CMD9] a model without room offers to compact, and a click does it', async () => {
  world.model.say({ pieces: [], status: 413 }, 'The summary.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('go')
  await sees('The model has no room for more.')
  await page.getByRole('button', { name: 'Compact: start anew with a summary' }).click()
  await sees('Continued in a new session')
  expect(session.all('agent_start').at(-1)).toMatchObject({ purpose: 'compact' })
})
