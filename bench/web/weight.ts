import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { Row } from '../stats.ts'

const dist = join(process.cwd(), 'dist')
const wanted = 170_000

/** What a visit fetches, compressed as by gzip: before it answers, when it idles, with the terminal. */
export async function pageWeight(page: Page): Promise<readonly Row[]> {
  const html = readFileSync(join(dist, 'web', 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  const first = weightOf(named)
  const idle = weightOf(await asked(page))
  const terminal = page.getByRole('button', { name: /terminal/i }).first()
  await terminal.click()
  await page.locator('.xterm-screen').waitFor()
  const whole = weightOf(await asked(page))
  await terminal.click()
  await page.locator('.xterm-screen').waitFor({ state: 'detached' })
  const react = gzipSync(readFileSync(join(dist, 'react.js'))).length
  return [
    { what: 'page until it answers, gzip', figure: kb(first), beside: `wanted ≤ ${kb(wanted)}` },
    { what: 'page and what it fetches ahead, gzip', figure: kb(idle) },
    { what: 'page with the terminal, gzip', figure: kb(whole) },
    { what: '`tandem/react` without React, gzip', figure: kb(react) },
  ]
}

async function asked(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
}

function weightOf(paths: readonly string[]): number {
  const folder = join(dist, 'web')
  const built = readdirSync(folder, { recursive: true }).map((name) => `/${String(name)}`)
  const files = new Set(['/index.html', ...paths].filter((path) => built.includes(path)))
  let sum = 0
  for (const path of files) sum += gzipSync(readFileSync(join(folder, path)), { level: 9 }).length
  return sum
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`
