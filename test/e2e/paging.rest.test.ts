import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { startServer } from '../support/server.ts'

test('[TERM91] pages of a run say what is gone where it is gone, and the rest joins exactly', async () => {
  const server = await startServer()
  onTestFinished(server.close)
  const session = await server.session()
  const lines = 150_000
  await session.run(`seq -f 'line %012g of a flood' ${lines}`)
  const { run, bytes } = await session.until('run_end')
  const whole = Array.from(
    { length: lines },
    (_, n) => `line ${String(n + 1).padStart(12, '0')} of a flood\r\n`,
  ).join('')
  expect(bytes).toBe(whole.length)
  const page = (from: number) =>
    server.client.call(routes.runOutput, { params: { id: session.id, run }, query: { from } })
  // The first page waits until the holder has written all of it.
  expect(await page(0)).toMatchObject({ missing: 0, total: bytes })
  const folder = join(server.home, 'teams', 'default', 'sessions', session.id, 'pty')
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort()
  expect(logs.length).toBeGreaterThan(3)
  // As the cap does it: one from the middle.
  await rm(join(folder, logs[2]!))
  const gaps: number[] = []
  for (let from = 0; from < bytes;) {
    const { to, missing, text } = await page(from)
    if (missing > 0) gaps.push(missing)
    expect(text === whole.slice(from + missing, to)).toBe(true)
    from = to
  }
  expect(gaps).toEqual([1024 * 1024])
})
