import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB33] the chat follows its end only while one is there; else it counts what is new', async () => {
  const session = await world.server.session()
  for (const _ of Array.from({ length: 30 })) await session.run('seq 5')
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  const list = page.getByRole('log')
  const gap = () => list.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
  await sees(run('seq 5'))
  await expect.poll(gap).toBeLessThan(5)
  await say('!echo follows')
  await sees(run(/echo follows — .*✓/))
  await expect.poll(gap).toBeLessThan(5)
  await list.hover()
  await page.mouse.wheel(0, -1_500)
  const jump = page.locator('.jump')
  await sees(jump)
  const top = await list.evaluate((box) => box.scrollTop)
  await session.run('echo unseen')
  await sees(jump.getByText('1 new'))
  expect(Math.abs((await list.evaluate((box) => box.scrollTop)) - top)).toBeLessThan(2)
  await jump.click()
  await sees(run('echo unseen'))
  await expect.poll(gap).toBeLessThan(5)
  await jump.waitFor({ state: 'detached' })
})

test('[WEB33] who scrolls up in the moment in which something comes is not taken back to the end', async () => {
  const session = await world.server.session()
  for (let n = 0; n < 60; n += 1) await session.run(`seq ${1 + ((n * 5) % 8)}`)
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  const list = page.getByRole('log')
  await sees(run('seq 2'))
  const scrolled = list.evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!/echo follows —.*✓/.test(box.textContent)) return
          observer.disconnect()
          requestAnimationFrame(() => resolve(box.scrollBy(0, -3_000)))
        })
        observer.observe(box, { subtree: true, childList: true, characterData: true })
      }),
  )
  await say('!echo follows')
  await scrolled
  await sees(page.locator('.jump'))
  await session.run('echo unseen')
  await sees(page.locator('.jump').getByText('1 new'))
})

test('[WEB33] a long session opens at its end with few rows drawn, and older ones come when scrolled to', async () => {
  const session = await world.server.session()
  for (let n = 0; n < 160; n += 1) await session.run(`echo row ${n}`)
  const { page, run, sees } = await visit(world.server, { session: session.id })
  await sees(run('echo row 159'))
  expect(await page.locator('.row').count()).toBeLessThan(60)
  const list = page.getByRole('log')
  await list.focus()
  const first = page.locator('.run-line', { hasText: /echo row 0 / })
  // Each press of Home goes to the start of what is loaded, which loads more.
  while ((await first.count()) === 0) {
    await list.press('Home')
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await sees(first)
  expect(await page.locator('.row').count()).toBeLessThan(60)
})

test('[WEB35] the terminal shows itself once when the model first runs something, without taking the focus', async () => {
  const session = await world.server.session()
  world.model.say('<shell>pwd</shell>', 'Done.', '<shell>pwd</shell>', 'Done again.')
  const { page, say, sees, composer } = await visit(world.server, { session: session.id })
  expect(await page.locator('.terminal').count()).toBe(0)
  await say('where?')
  await sees(page.getByRole('region', { name: 'Terminal' }))
  await sees(page.locator('.xterm'))
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)
  await sees('Done.')
  await page.getByRole('button', { name: 'Terminal', exact: true }).click()
  await page.locator('.xterm').waitFor({ state: 'detached' })
  await say('again?')
  await sees('Done again.')
  expect(await page.locator('.xterm').count()).toBe(0)
})
