import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { makeGate } from './support/gate.ts'
import { isLiving, livingWith, parentOf, untilGone } from './support/living.ts'
import { untilThere } from './support/until-there.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})

afterEach(async () => {
  await server.close()
})

const folderOf = ({ id }: TestSession) => join(server.home, 'teams', 'default', 'sessions', id)
const remove = ({ id }: TestSession) => server.client.call(routes.deleteSession, { params: { id } })
/** Everything that was started in a shell of this server, wherever it went. */
const started = () =>
  livingWith(`HOME=${dirname(server.home)}\0`).filter((pid) => pid !== server.process.pid)

/** What people leave running in a shell; none of it belongs to anybody once the session is gone. */
const jobs = [
  'sleep 1000 &',
  'nohup sleep 1001 > /dev/null 2>&1 &',
  '(trap "" HUP TERM INT; sleep 1002) &',
  'sleep 1003 & disown -a',
  '(sleep 1004 & sleep 1005 &)',
  'set -m; sleep 1006 | sleep 1007 &',
  'sleep 1008 & kill -STOP $!',
]

test('[FAULT5] a deleted session leaves neither holder, shell nor job, whatever the jobs did to stay', async () => {
  const sessions: { session: TestSession; holder: number }[] = []
  for (const job of jobs) {
    const session = await server.session()
    await session.run(job)
    sessions.push({ session, holder: parentOf((await session.view()).shell!.pid) })
  }
  const before = [...started(), ...sessions.map(({ holder }) => holder)]
  expect(before.length).toBeGreaterThanOrEqual(3 * jobs.length)
  expect(before.every(isLiving)).toBe(true)
  // In the middle of a run, after a kill, and by a server that has not looked at the session yet.
  await sessions[0]!.session.send('!sleep 1009')
  await sessions[0]!.session.until('run_start', 2)
  const half = sessions.splice(0, 3)
  await Promise.all(half.map(({ session }) => remove(session)))
  await server.restart()
  await Promise.all(sessions.map(({ session }) => remove(session)))
  await untilGone(before)
  expect(started()).toEqual([])
  for (const { session } of [...half, ...sessions])
    expect(existsSync(folderOf(session))).toBe(false)
})

test('[FAULT5] what was sent away with setsid ends with its session', async () => {
  const session = await server.session()
  await session.run('setsid sleep 1000 < /dev/null > /dev/null 2>&1 &')
  const { pid } = (await session.view()).shell!
  const away = started().filter((other) => other !== pid)
  const holder = parentOf(pid)
  expect(away).toHaveLength(1)
  await remove(session)
  await untilGone([pid, holder, ...away])
  expect(started()).toEqual([])
})

test('[FAULT7] a shell that was starting when the server was killed is ended by the next one', async () => {
  const gate = makeGate(server.workspace, 'start-file')
  const startFile = join(dirname(server.home), '.bashrc')
  const reached = join(server.workspace, 'reached')
  await writeFile(startFile, `touch ${reached}; ${gate.wait}\n`)
  const session = await server.session()
  await session.send('!echo first')
  await untilThere(reached)
  await server.kill()
  await writeFile(startFile, '')
  // A holder that could not tell its server that it is there ends by itself, perhaps just now.
  const left = started()
  const holders = left.map(parentOf).filter((pid) => pid > 1)
  await server.restart()
  await untilGone([...left, ...holders])
  const again = server.reopen(session)
  await again.answer('allow')
  expect((await again.until('tool_response')).content).toBe(
    '$ echo first\nfirst\n[exit 0; run by the user]',
  )
  expect(started()).toHaveLength(1)
})

test('[FAULT7] a holder whose session the store does not know is ended at the next start; its folder stays unless it was deleted', async () => {
  const kept = await server.session()
  await kept.run('KEPT=yes')
  const lost = await server.session()
  await lost.run('sleep 1000 &')
  const { pid } = (await lost.view()).shell!
  const holder = parentOf(pid)
  await server.kill()
  const store = openSqliteStore({ file: join(server.home, 'tandem.db') })
  await store.remove(lost.id)
  await store.close()
  await server.restart()
  await untilGone([pid, holder])
  expect((await server.reopen(kept).run('echo $KEPT')).content).toContain('\nyes\n')
  expect(started()).toHaveLength(1)
  expect(readdirSync(dirname(folderOf(kept))).sort()).toEqual([kept.id, lost.id].sort())
  // A deletion that the server was killed over is finished.
  await server.kill()
  await writeFile(`${folderOf(lost)}.deleted`, '')
  await server.restart()
  await server.session()
  await expect.poll(() => existsSync(folderOf(lost))).toBe(false)
})
