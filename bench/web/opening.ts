import type { Page } from 'playwright-core'
import { ms, percentile, type Row, times } from '../stats.ts'

const rounds = 5

/** From a reload to a composer that is heard, beside a document of the same server that does nothing. */
export async function timeToInteractive(page: Page): Promise<Row> {
  const { origin } = new URL(page.url())
  const here = page.url()
  const samples: number[] = []
  const bare: number[] = []
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const look = () => {
        if (!document.querySelector('.connection.is-live') || !document.querySelector('#composer'))
          return
        seen.disconnect()
        document.documentElement.dataset['heard'] = String(performance.now())
      }
      const seen = new MutationObserver(look)
      seen.observe(document.documentElement, { childList: true, subtree: true, attributes: true })
      look()
    })
  })
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${origin}/icon.svg`)
    bare.push(await page.evaluate(() => performance.getEntriesByType('navigation')[0]!.duration))
    await page.goto(here)
    await page.locator('html[data-heard]').waitFor()
    samples.push(await page.evaluate(() => Number(document.documentElement.dataset['heard'])))
  }
  const figure = percentile(samples, 0.5)
  const beside = `${times(figure / percentile(bare, 0.5))} an empty document (${ms(percentile(bare, 0.5))})`
  return { what: 'page: reload to interactive, p50', figure: ms(figure), beside }
}

/** From a click in the list to the frame that shows the session's last line. */
async function click(page: Page, title: string): Promise<number> {
  return page.evaluate(async (name) => {
    const rows = [...document.querySelectorAll<HTMLElement>('.session-pick')]
    const row = rows.find((element) => element.textContent?.includes(name))
    if (row === undefined) throw new Error(`no session ${name} in the list`)
    const from = performance.now()
    row.click()
    while (!document.querySelector('[role=log]')?.textContent?.includes('the last thing that'))
      await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - from
  }, title)
}

/** Of a long and a short session, cold and then warm. `away` is one without that line. */
export async function firstScreen(
  page: Page,
  { long, short, away }: { long: string; short: string; away: string },
): Promise<readonly Row[]> {
  const leave = async () => {
    await page.locator('.session-pick', { hasText: away }).click()
    await page.waitForFunction(
      () => !document.querySelector('[role=log]')?.textContent?.includes('the last thing that'),
    )
  }
  const cold = await click(page, long)
  await leave()
  const samples = { long: [] as number[], short: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    samples.long.push(await click(page, long))
    await leave()
    samples.short.push(await click(page, short))
    await leave()
  }
  const p50 = percentile(samples.long, 0.5)
  const few = percentile(samples.short, 0.5)
  return [
    {
      what: '100,000 events: click to first screen, cold',
      figure: ms(cold),
      beside: 'wanted < 300 ms',
    },
    {
      what: '100,000 events: click to first screen, p50',
      figure: ms(p50),
      beside: `${times(p50 / few)} a session of 100 events (${ms(few)})`,
    },
  ]
}
