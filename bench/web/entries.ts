import type { Page } from 'playwright-core'
import { ms, type Row } from '../stats.ts'

const wanted = 5_000
const patienceMs = 120_000

/** Scrolls up until this many entries are loaded; counts the rows that are drawn on the way. */
export async function manyEntries(page: Page, title: string): Promise<readonly Row[]> {
  await page.locator('.session-pick', { hasText: title }).click()
  await page.getByText('the last thing that was said').waitFor()
  const list = page.getByRole('log')
  await list.focus()
  let most = 0
  const count = async () => {
    most = Math.max(most, await page.locator('.row').count())
  }
  const first = page.getByText('the first thing that was said')
  const began = performance.now()
  while ((await first.count()) === 0) {
    if (performance.now() - began > patienceMs) throw new Error('the beginning never comes')
    await list.press('Home')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await count()
  }
  const loaded = performance.now() - began
  const back = performance.now()
  const last = page.getByText('the last thing that was said')
  let presses = 0
  // Rows that were never drawn have a guessed height, so the end may move away once.
  for (; (await last.count()) === 0; presses += 1) {
    if (performance.now() - back > patienceMs) throw new Error('the end never comes')
    await list.press('End')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await count()
  }
  return [
    {
      what: `${wanted.toLocaleString('en')} entries: rows in the page, most`,
      figure: String(most),
      beside: 'wanted < 60',
    },
    {
      what: `${wanted.toLocaleString('en')} entries: End, from the first to the last`,
      figure: ms(performance.now() - back),
      beside: `by ${presses} presses; all were loaded in ${ms(loaded)}`,
    },
  ]
}
