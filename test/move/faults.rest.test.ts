import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { isLiving, livingWith, parentOf, untilGone } from '../faults/support/living.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openTestSession, type TestSession } from '../support/session.ts'
import { take } from './support/take.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})

afterEach(() => server.close())

const preload = pathToFileURL(join(process.cwd(), 'test/move/support/die-at.mjs')).href
const folderOf = (id: string) => join(server.home, 'teams', 'default', 'sessions', id)
/** Everything that was started in a shell of this server. */
const started = () =>
  livingWith(`HOME=${dirname(server.home)}\0`).filter((pid) => pid !== server.process.pid)

async function begun(): Promise<{ session: TestSession; pid: number; holder: number }> {
  const session = await server.session()
  await session.run('KEPT=yes; sleep 1000 &')
  const { pid } = (await session.view()).shell!
  return { session, pid, holder: parentOf(pid) }
}

/** The only session with a live shell. */
async function owner(): Promise<TestSession> {
  const { sessions } = await server.client.call(routes.sessions, {})
  const views = await Promise.all(
    sessions.map(({ id }) => server.client.call(routes.session, { params: { id } })),
  )
  const owners = views.filter(({ shell }) => shell !== null)
  expect(owners).toHaveLength(1)
  return openTestSession(server.client, owners[0]!.id)
}

const deaths = [
  { at: 'before anything is written', die: 'before:{"offset":', isMoved: false },
  {
    at: 'after both logs tell it, before the holder knows',
    die: 'before:{"folder":',
    isMoved: true,
  },
  { at: 'when the holder was told', die: 'after:{"folder":', isMoved: true },
]

test.each(deaths)(
  '[MOVE12] a server killed $at: the shell is in exactly one session, and nothing else is left',
  async ({ die, isMoved }) => {
    const { session, pid, holder } = await begun()
    const left = started()
    for (const isFirstOpened of [true, false]) {
      const env = { NODE_OPTIONS: `--import ${preload}`, TANDEM_TEST_DIE: die }
      await server.restart(env)
      const from = isFirstOpened ? session : await owner()
      await expect(take(server, from)).rejects.toThrow()
      await server.restart()
      // Whichever of them is opened first.
      if (isFirstOpened) await server.reopen(from).view()
      const now = await owner()
      expect(now.id === from.id).toBe(!isMoved)
      expect((await now.view()).shell).toMatchObject({ pid })
      expect((await now.run('echo $KEPT; jobs')).content).toMatch(/\nyes\n.*sleep 1000/)
      expect(new Set(started())).toEqual(new Set(left))
      expect(existsSync(join(folderOf(now.id), 'holder.json'))).toBe(true)
      if (isMoved) expect(existsSync(join(folderOf(from.id), 'holder.json'))).toBe(false)
    }
    expect(isLiving(holder)).toBe(true)
    await server.remove((await owner()).id)
    await untilGone([...left, holder])
  },
)

test('[MOVE13] deleting the session it came from leaves the terminal alone; deleting the one that has it ends all of it', async () => {
  const { session, pid, holder } = await begun()
  const second = await take(server, session)
  await server.remove(session.id)
  expect(existsSync(folderOf(session.id))).toBe(false)
  expect((await second.run('echo $KEPT; jobs')).content).toMatch(/\nyes\n.*sleep 1000/)
  await server.restart()
  const again = server.reopen(second)
  expect((await again.run('echo $KEPT')).content).toContain('\nyes\n')
  const third = await take(server, again)
  expect((await third.view()).shell).toMatchObject({ pid })
  await server.remove(third.id)
  await untilGone([pid, holder])
  expect(started()).toEqual([])
  expect((await again.run('echo "[$KEPT]"')).content).toContain('\n[]\n')
})

test('[MOVE13] a session that is deleted while its terminal is taken: the terminal goes with one of them', async () => {
  const { session, pid, holder } = await begun()
  const [taken] = await Promise.allSettled([take(server, session), server.remove(session.id)])
  if (taken.status === 'fulfilled' && (await taken.value.view()).shell !== null) {
    expect((await taken.value.run('echo $KEPT')).content).toContain('\nyes\n')
    await server.remove(taken.value.id)
  }
  await untilGone([pid, holder])
  expect(started()).toEqual([])
})
