import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { ms, type Row } from '../stats.ts'

const perSecond = 200
const seconds = 6
const text = `## A section

Some words with **weight**, a \`name\`, and a [link](https://example.org).

1. first
2. second, with more words than fit into one line of a narrow window, so that it wraps

\`\`\`ts
export function total(cents: number, rate: number): number {
  return cents + Math.round(cents * rate)
}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

`

/** A model that says so many tokens a second, whatever the timer does. */
export async function startTalker(): Promise<{ baseUrl: string; close(): void }> {
  const tokens = text.match(/\s*\S+/g) ?? []
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (choice: object) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    const began = performance.now()
    let said = 0
    const timer = setInterval(() => {
      const due = ((performance.now() - began) / 1000) * perSecond
      for (; said < due && said < perSecond * seconds; said += 1)
        say({ delta: { content: tokens[said % tokens.length] }, finish_reason: null })
      if (said < perSecond * seconds) return
      clearInterval(timer)
      say({ delta: { content: '\n\nThat is all.' }, finish_reason: null })
      say({ delta: {}, finish_reason: 'stop' })
      response.end('data: [DONE]\n\n')
    }, 5)
    response.on('close', () => clearInterval(timer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

/** What holds up the page's own thread while a reply streams in. */
export async function longTasks(page: Page): Promise<readonly Row[]> {
  await page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration))
      document.documentElement.dataset['tasks'] = JSON.stringify(tasks)
    }).observe({ type: 'longtask' })
    document.documentElement.dataset['tasks'] = '[]'
  })
  await page.locator('#composer').fill('talk')
  await page.locator('#composer').press('Enter')
  await page.getByText('That is all.').waitFor({ timeout: 60_000 })
  const tasks: number[] = JSON.parse(
    await page.evaluate(() => document.documentElement.dataset['tasks'] ?? '[]'),
  )
  return [
    {
      what: `tasks > 50 ms while ${perSecond} tokens/s stream in, ${seconds} s`,
      figure: String(tasks.length),
      beside:
        tasks.length === 0 ? 'wanted: none' : `wanted: none; longest ${ms(Math.max(...tasks))}`,
    },
  ]
}
