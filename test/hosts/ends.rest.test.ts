import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { createWorld } from '../cli/cli.ts'
import { parentOf, untilGone } from '../faults/support/living.ts'
import { startServer } from '../support/server.ts'
import { answered } from './support/answered.ts'

const count = 6

test('[HOST5] all shells are asked to end before any of them is waited for', async () => {
  const server = await startServer()
  const shells: number[] = []
  for (let n = 1; n <= count; n += 1) {
    const session = await server.session()
    // It goes by itself only when all the others were asked as well; else it is ended by force.
    const asked = `touch asked.${n}; until [ $(ls asked.* | wc -l) = ${count} ]; do :; done; touch all.${n}; exit`
    await session.run(`(trap '${asked}' HUP; touch ready.${n}; while :; do sleep 0.02; done) &`)
    await session.run(`until [ -e ready.${n} ]; do sleep 0.01; done`)
    shells.push((await session.view()).shell!.pid)
  }
  const exit = once(server.process, 'exit')
  await server.client.call(routes.shutdown, { body: { shells: 'end' } })
  await exit
  await untilGone(shells)
  const all = (await readdir(server.workspace)).filter((name) => name.startsWith('all.'))
  expect(all).toHaveLength(count)
  await server.close()
})

test('[HOST5] stubborn shells and stopped holders, many of them, are gone in time when all shells are ended', async () => {
  const server = await startServer()
  const left: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const session = await server.session()
    const { pid } = await session
      .run('trap "" HUP TERM INT; (trap "" HUP TERM INT; sleep 1000) &')
      .then(async () => (await session.view()).shell!)
    left.push(pid, parentOf(pid))
    if (n % 3 === 0) process.kill(parentOf(pid), 'SIGSTOP')
  }
  const exit = once(server.process, 'exit')
  await server.client.call(routes.shutdown, { body: { shells: 'end' } })
  expect(await answered(exit)).toBe(true)
  await untilGone(left)
  await server.close()
})

test('[HOST5] more shells than a server picks up by itself end as well, the one that was used first too', async () => {
  const server = await startServer()
  const session = await server.session()
  await session.run(':')
  const { pid } = (await session.view()).shell!
  await server.kill()
  const file = join(server.home, 'tandem.db')
  const store = openSqliteStore({ file })
  const log = await store.read(session.id, { limit: 100 })
  const later = log.map((event) => ({ ...event, at: event.at + 1_000 }))
  // Logs of shells without a holder, used later: what a start picks up, and more than that once more.
  for (let n = 0; n < 2 * limits.resumedSessions + 1; n += 1)
    await store.append(randomUUID(), 0, { events: later, live: true })
  await store.close()
  await server.restart()
  const exit = once(server.process, 'exit')
  await server.client.call(routes.shutdown, { body: { shells: 'end' } })
  await exit
  const after = openSqliteStore({ file })
  const live = await after.list({ live: true, limit: 1 })
  await after.close()
  expect(live).toEqual([])
  await untilGone([pid])
  await server.close()
})

test('[HOST5] a server that has ended and that nobody has reaped is gone for `tandem stop`', async () => {
  const world = createWorld()
  onTestFinished(world.remove)
  // Its parent does not look after it: it stays a zombie, as in a container without an init.
  const script = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, [process.argv[1], '--detached'], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', (line) => {
      process.stdout.write(line, () => process.kill(process.pid, 'SIGSTOP'))
    })`
  const entry = join(process.cwd(), 'dist', 'server.js')
  const parent = spawn(process.execPath, ['-e', script, entry], {
    env: world.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const { pid } = JSON.parse(line.toString()) as { pid: number }
  expect(await world.run(['stop'])).toMatchObject({ code: 0 })
  expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ')
})
