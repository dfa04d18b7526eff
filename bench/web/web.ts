import { join } from 'node:path'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { startServer } from '../../test/support/server.ts'
import { launchBrowser, startVisit } from '../../test/web/support/visit.ts'
import type { Row } from '../stats.ts'
import { manyEntries } from './entries.ts'
import { firstScreen, timeToInteractive } from './opening.ts'
import { storeSession } from './stored-session.ts'
import { longTasks, startTalker } from './streaming.ts'
import { pageWeight } from './weight.ts'

/** The page in a real browser, over a real server. */
export async function web(): Promise<readonly Row[]> {
  const talker = await startTalker()
  const server = await startServer({ env: { TANDEM_BASE_URL: talker.baseUrl } })
  const { workspace } = server
  // It may open the sessions only once they are whole.
  await server.kill()
  const store = openSqliteStore({ file: join(server.home, 'tandem.db') })
  const titles = {
    long: 'very long',
    short: 'very short',
    many: 'many entries',
    away: 'quite empty',
  }
  await storeSession(store, { title: titles.long, events: 100_000, workspace })
  await storeSession(store, { title: titles.short, events: 100, workspace })
  // Nine events make three entries.
  await storeSession(store, { title: titles.many, events: 15_000, workspace })
  await store.close()
  await server.restart()
  const { id } = await server.session()
  await server.patch(id, { title: titles.away })
  const browser = await launchBrowser()
  const rows: Row[] = []
  try {
    const { page } = await startVisit(browser, server, { session: id })
    rows.push(...(await pageWeight(page)))
    rows.push(await timeToInteractive(page))
    rows.push(...(await firstScreen(page, titles)))
    rows.push(...(await manyEntries(page, titles.many)))
    await page.locator('.session-pick', { hasText: titles.away }).click()
    await page.getByText('the last thing that was said').waitFor({ state: 'detached' })
    rows.push(...(await longTasks(page)))
  } finally {
    await browser.close()
    await server.close()
    talker.close()
  }
  return rows
}
