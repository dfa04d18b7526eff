import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB35] the terminal shows itself for a command that is over before anything is drawn', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  await page.evaluate(() => {
    const draw = globalThis.requestAnimationFrame
    const held: FrameRequestCallback[] = []
    globalThis.requestAnimationFrame = (frame) => held.push(frame)
    addEventListener('release', () => {
      globalThis.requestAnimationFrame = draw
      for (const frame of held) draw(frame)
    })
  })
  world.model.say('<shell>pwd</shell>', 'Done.')
  await session.send('where?')
  await session.until('agent_end')
  // An answer to the page comes behind all that its session was told before.
  await page.evaluate(() => fetch('/v1/health'))
  await page.evaluate(() => dispatchEvent(new Event('release')))
  await sees('Done.')
  await sees(page.getByRole('region', { name: 'Terminal' }))
})

test('[WEB32] until somebody moves the bar the terminal has 80 columns and the chat the rest, up to a half', async () => {
  const session = await world.server.session()
  const { page, sees } = await visit(world.server, { session: session.id })
  await page.keyboard.press('Control+`')
  const bar = page.getByRole('separator', { name: 'Room for the chat' })
  await sees(bar)
  const chatAt = async (width: number) => {
    await page.setViewportSize({ width, height: 800 })
    const chat = await page.locator('.split-left').boundingBox()
    const all = await page.locator('.split').boundingBox()
    return (chat!.width / all!.width) * 100
  }
  expect(await chatAt(1_280)).toBeCloseTo(39.5, 0)
  expect(await chatAt(1_440)).toBeCloseTo(47, 0)
  expect(await chatAt(2_200)).toBeCloseTo(52, 0)
  await bar.press('ArrowRight')
  expect(await chatAt(2_200)).toBeCloseTo(55, 0)
  expect(await chatAt(1_280)).toBeCloseTo(55, 0)
})

test('[WEB29] the list says the time of today and the day of before, so that titles have room', async () => {
  const session = await world.server.session()
  await world.server.patch(session.id, { title: 'Of that day' })
  const { page } = await visit(world.server, { locale: 'en-GB' })
  const time = page.locator('.session-row', { hasText: 'Of that day' }).locator('.session-time')
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
  const now = Date.now()
  expect(await time.innerText()).toMatch(/^\d\d:\d\d$/)
  await page.clock.setFixedTime(now + 3 * 86_400_000)
  await page.reload()
  await expect.poll(() => time.innerText()).toBe(day.format(now))
})

test('[WEB33] a session is opened with one wait for the server, not one after the other', async () => {
  const session = await world.server.session()
  await session.run('echo already there')
  const { page, run, sees } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  const log = page.waitForRequest((request) => request.url().includes(`${session.id}/log`))
  await page.route(`**/v1/sessions/${session.id}`, async (route) => {
    await log
    await route.continue()
  })
  await page.evaluate((id) => void (location.hash = `session=${id}`), session.id)
  await sees(run(/echo already there — .*✓/))
})
