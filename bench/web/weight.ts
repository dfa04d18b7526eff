import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { Row } from '../stats.ts'

const folder = join(process.cwd(), 'dist', 'web')
const wanted = 150_000

/** What a first visit has to fetch, compressed as by gzip: what the page itself asked for. */
export async function pageWeight(page: Page): Promise<readonly Row[]> {
  const before = await weightOf(page)
  await page
    .getByRole('button', { name: /terminal/i })
    .first()
    .click()
  await page.locator('.xterm-screen').waitFor()
  const after = await weightOf(page)
  const react = gzipSync(readFileSync(join(process.cwd(), 'dist', 'react.js'))).length
  return [
    {
      what: 'page before the terminal, gzip',
      figure: kb(before),
      beside: `wanted ≤ ${kb(wanted)}`,
    },
    { what: 'page with the terminal, gzip', figure: kb(after) },
    { what: '`tandem/react`, gzip, without React', figure: kb(react) },
  ]
}

async function weightOf(page: Page): Promise<number> {
  const asked = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  const files = new Set(['/index.html', ...asked].filter((path) => isThere(path)))
  return [...files].reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length,
    0,
  )
}

const built = new Set(readdirSync(folder, { recursive: true }).map((name) => `/${String(name)}`))
const isThere = (path: string) => built.has(path) && path.includes('.')

const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`
