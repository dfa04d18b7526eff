import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { createLog } from '../../test/client/logs.ts'
import { startServer } from '../../test/support/server.ts'
import { launchBrowser, startVisit } from '../../test/web/support/visit.ts'
import { ms, percentile, type Row } from '../stats.ts'

const row = `|${' cell |'.repeat(20)}\n`
const replies: Readonly<Record<string, string>> = {
  'one line': 'A word.',
  '50,000 fences': '```sh\nls\n```\n'.repeat(50_000),
  '20,000 tags': '<shell>ls</shell>\n'.repeat(20_000),
  '3,000 × 20 table': `${row}|${'--|'.repeat(20)}\n${row.repeat(3_000)}`,
  '50,000 items': '- item\n'.repeat(50_000),
  '100,000 marks': `${'*a* '.repeat(1_000)}\n\n`.repeat(100),
}
const rounds = 3
const last = 'the last thing that was said'

/** From a click in the list to the frame that shows a session whose only reply is this. */
export async function heavyReplies(): Promise<readonly Row[]> {
  const server = await startServer()
  await server.kill()
  const store = openSqliteStore({ file: join(server.home, 'tandem.db') })
  for (const [title, text] of Object.entries(replies))
    await storeReply(store, { title, text, workspace: server.workspace })
  await store.close()
  await server.restart()
  const { id } = await server.session()
  await server.patch(id, { title: 'quite empty' })
  const browser = await launchBrowser()
  try {
    const { page } = await startVisit(browser, server, { session: id })
    const rows: Row[] = []
    for (const title of Object.keys(replies)) {
      const samples: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        samples.push(await open(page, title))
        await page.locator('.session-pick', { hasText: 'quite empty' }).click()
        await page.getByText(last).waitFor({ state: 'detached' })
      }
      rows.push({
        what: `page: a reply of ${title}, click to drawn, p50 of ${rounds}`,
        figure: ms(percentile(samples, 0.5)),
        beside: `${samples.map(ms).join(', ')}; wanted < 300 ms`,
      })
    }
    return rows
  } finally {
    await browser.close()
    await server.close()
  }
}

interface Stored {
  title: string
  text: string
  workspace: string
}

async function storeReply(store: EventStore, { title, text, workspace }: Stored): Promise<void> {
  const log = createLog()
  log.start(workspace)
  const prompt = log.prompt('say a lot')
  const turn = log.turn(prompt)
  const step = log.step(turn, [prompt])
  log.reply(step, text)
  log.endStep(step)
  log.endTurn(turn, 'done')
  log.prompt(last)
  const events = log
    .events()
    .map((event) => ({ ...event, ...(event.type === 'session_start' && { title }) }))
  await store.append(randomUUID(), 0, { events })
}

/** Both the last line and the reply above it are to be seen. */
function open(page: Page, title: string): Promise<number> {
  return page.evaluate(
    async ({ title: name, last: line }) => {
      const rows = [...document.querySelectorAll<HTMLElement>('.session-pick')]
      const row = rows.find((element) => element.textContent?.includes(name))
      if (row === undefined) throw new Error(`no session ${name} in the list`)
      const from = performance.now()
      row.click()
      const isDrawn = () => {
        const log = document.querySelector('[role=log]')
        return log?.textContent?.includes(line) && log.querySelector('.reply .prose > *')
      }
      while (!isDrawn()) await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      return performance.now() - from
    },
    { title, last },
  )
}
