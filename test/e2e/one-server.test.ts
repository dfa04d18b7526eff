import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const cli = new URL('../../dist/cli.js', import.meta.url).pathname

function serve(...flags: string[]): ChildProcess {
  return spawn(process.execPath, [cli, 'serve', '--json', ...flags], {
    env: { ...process.env, TANDEM_HOME: server.home, HOME: server.workspace },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function firstLine(
  child: ChildProcess,
): Promise<{ url: string; token: string; pid: number }> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return JSON.parse(line)
}

test('[PROC1] a second server on the same data folder names the first and ends', async () => {
  const second = serve()
  const exit = once(second, 'exit')
  expect(await firstLine(second)).toEqual({
    url: server.url,
    token: server.token,
    pid: server.process.pid,
  })
  expect(await exit).toEqual([0, null])
})

test('[PROC1] --replace takes the place of the running server under its living shells', async () => {
  const session = await server.session()
  await session.run('export KEPT=1')
  const ended = once(server.process, 'exit')
  const next = serve('--replace')
  const { url, token } = await firstLine(next)
  await ended
  expect(token).toBe(server.token)
  const { connect } = await import('../../src/client/wire/connect.ts')
  const { openTestSession } = await import('../support/session.ts')
  const client = connect({ url, token, fetch, newKey: () => `${Math.random()}` })
  const again = openTestSession(client, session.id)
  expect((await again.run('echo $KEPT')).content).toContain('\n1\n')
  const exit = once(next, 'exit')
  next.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

test('[HTTP40] what tells where the server is, and its token, only the owner can read', async () => {
  await server.restart()
  for (const name of ['server.json', 'token', 'tandem.db'])
    expect((await stat(join(server.home, name))).mode & 0o077, name).toBe(0)
  expect((await stat(server.home)).mode & 0o077).toBe(0)
})
