import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { startServer } from '../support/server.ts'

const preload = new URL('support/reject.mjs', import.meta.url).pathname

test('[HOST24] a rejection that nobody handles is written down and does not end the server', async () => {
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${preload}` } })
  onTestFinished(server.close)
  const session = await server.session()
  process.kill(server.process.pid!, 'SIGUSR2')
  const file = join(server.home, 'diagnostics.jsonl')
  // Another process writes it, and tells nobody.
  while (!(await readFile(file, 'utf8')).includes('nobody listens to this')) await delay(20)
  expect(server.process.exitCode).toBeNull()
  expect((await session.run('echo alive')).content).toContain('\nalive\n')
  expect((await server.client.call(routes.health, {})).pid).toBe(server.process.pid)
})
