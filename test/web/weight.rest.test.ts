import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = join(process.cwd(), 'dist', 'web')

test('[WEB3] what the page fetches before it answers is at most 170 KB, compressed', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(1)
  const sizes = ['index.html', ...named].map(
    (path) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(170_000)
})
