import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, afterEach, expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { createSqliteStore } from '../../src/server/store/sqlite.ts'
import { openDatabase } from '../../src/server/store/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { checked, cutWal, flip, pagesOf, settle, spoil, walBytes } from './support/damage.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer({ config: { model: 'demo/offline' } })
})

afterEach(() => server.close())

const file = () => join(server.home, 'tandem.db')
const refusedAs = (code: string) => ({ fault: { kind: 'refused', refusal: { code } } })
const exportAs = (id: string, format: 'md' | 'json' | 'jsonl' | 'html' | 'cast') =>
  server.client.document(routes.export, { params: { id }, query: { format } })

/** A session with several pages of events, of which each says its number. */
async function longSession(): Promise<TestSession> {
  const session = await server.session()
  for (let n = 1; n <= 12; n += 1) await session.run(`echo word-${n}-${'x'.repeat(700)}`)
  await session.interrupt('restart').catch(() => undefined)
  return session
}

/** Kills the server, damages its files, and starts the next one. */
async function damage(work: () => void): Promise<void> {
  await server.kill()
  work()
  await server.restart()
}

test('[STORE39] after a kill a sound log is found sound, and nothing is said', async () => {
  await longSession()
  await server.restart()
  expect(await checked(server.home)).toMatchObject({ isSound: true, damaged: [], lost: [] })
  expect(await server.client.call(routes.sessions, {})).not.toHaveProperty('damage')
  expect(await server.client.call(routes.health, {})).not.toHaveProperty('damage')
})

test('[STORE39] a damaged page of events is told, names its session, and the rest is exported', async () => {
  const hurt = await longSession()
  const whole = await server.session()
  await whole.run('echo whole')
  await damage(() => {
    settle(file())
    // Not the newest: those of the second session lie there.
    flip(file(), pagesOf(file(), 'events')[1]!)
  })
  const found = await checked(server.home)
  expect(found).toMatchObject({ isSound: false, damaged: [hurt.id], lost: [] })
  expect(found.problems.length).toBeGreaterThan(0)
  const { damage: told, sessions } = await server.client.call(routes.sessions, {})
  expect(told).toMatchObject({ damaged: [hurt.id], lost: [] })
  expect(told!.message).toMatch(/^The database is damaged: 1 session cannot be read whole\./)
  expect(sessions.map(({ id }) => id).sort()).toEqual([hurt.id, whole.id].sort())
  expect(await server.client.call(routes.health, {})).toMatchObject({ damage: told })
  await expect(
    server.client.call(routes.session, { params: { id: hurt.id } }),
  ).rejects.toMatchObject(refusedAs('damaged'))
  await expect(
    server.client.call(routes.send, { params: { id: hurt.id }, body: { text: '!ls' } }),
  ).rejects.toMatchObject({ fault: { refusal: { message: expect.stringContaining(hurt.id) } } })

  const lines = (await exportAs(hurt.id, 'jsonl')).trim().split('\n')
  const events = lines.map((line) => Event.parse(JSON.parse(line)))
  const gaps = events.filter((event) => event.type === 'error')
  expect(gaps[0]).toMatchObject({
    code: 'log_damaged',
    message: expect.stringMatching(/^Events? /),
  })
  expect(events.length).toBeGreaterThan(20)
  for (const format of ['md', 'html', 'json'] as const) {
    const text = await exportAs(hurt.id, format)
    expect(text, format).toMatch(/word-1[12]-/)
    expect(text, format).toContain('cannot be read: the database is damaged.')
  }
  expect(await exportAs(hurt.id, 'cast')).toContain('word-5-')
  // The other one is as it was.
  expect((await server.reopen(whole).run('echo still')).content).toContain('still')
})

test('[STORE39] a session whose row no index finds is damaged, never missing', async () => {
  const session = await longSession()
  await damage(() => {
    settle(file())
    const [page] = pagesOf(file(), 'sqlite_autoindex_sessions_1')
    // The keys lie at the end of the page.
    flip(file(), page!, { at: 4_096 - 40, length: 30 })
  })
  expect((await checked(server.home)).isSound).toBe(false)
  await expect(
    server.client.call(routes.session, { params: { id: session.id } }),
  ).rejects.toMatchObject(refusedAs('damaged'))
  expect(await exportAs(session.id, 'md')).toContain('word-3-')
})

test('[STORE39] a value whose bytes are others is found, though every page is sound', async () => {
  const session = await longSession()
  await server.kill()
  settle(file())
  spoil(file(), '{"v":1,"seq":9,')
  await server.restart()
  expect(await checked(server.home)).toMatchObject({ problems: [], damaged: [session.id] })
  await expect(
    server.client.call(routes.session, { params: { id: session.id } }),
  ).rejects.toMatchObject({
    fault: { refusal: { code: 'damaged', message: expect.stringContaining('event 9 of session') } },
  })
  const lines = (await exportAs(session.id, 'jsonl')).trim().split('\n')
  expect(JSON.parse(lines[8]!)).toMatchObject({ seq: 9, type: 'error', code: 'log_damaged' })
})

test('[STORE39] a session that went with a cut WAL is told as lost, its folder stays, and it can be deleted', async () => {
  const kept = await server.session()
  await kept.run('echo kept')
  // Everything before is in the file, everything after in the WAL alone.
  const database = openDatabase({ file: file() })
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const lost = await server.session()
  await lost.run('echo words-that-were-lost')
  expect(walBytes(server.home)).toBeGreaterThan(8_192)
  await damage(() => cutWal(server.home, 0))
  expect(await checked(server.home)).toMatchObject({ isSound: false, damaged: [], lost: [lost.id] })
  const { damage: told, sessions } = await server.client.call(routes.sessions, {})
  expect(told!.message).toMatch(/^The database is damaged: 1 session is lost\./)
  expect(sessions.map(({ id }) => id)).toEqual([kept.id])
  const params = { id: lost.id }
  await expect(server.client.call(routes.session, { params })).rejects.toMatchObject({
    fault: { refusal: { code: 'damaged', message: expect.stringContaining(lost.id) } },
  })
  expect(await exportAs(lost.id, 'md')).toContain('The log cannot be read')
  expect(await exportAs(lost.id, 'cast')).toContain('words-that-were-lost')
  await server.remove(lost.id)
  expect(existsSync(join(server.home, 'teams', 'default', 'sessions', lost.id))).toBe(false)
  await expect(server.client.call(routes.session, { params })).rejects.toMatchObject(
    refusedAs('not_found'),
  )
})

test('[STORE39] flipped bytes in a WAL lose what came after them, and that is told', async () => {
  const first = await server.session()
  const database = openDatabase({ file: file() })
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const lost = await server.session()
  await damage(() => flip(`${file()}-wal`, 1, { at: 100 }))
  expect(await checked(server.home)).toMatchObject({ lost: [lost.id] })
  expect((await server.reopen(first).run('echo on')).content).toContain('on')
})

test('[STORE39] a session that is deleted, also while a check runs, is not told as lost', async () => {
  const sessions = await Promise.all(Array.from({ length: 5 }, () => server.session()))
  await server.remove(sessions[0]!.id)
  await server.restart()
  await Promise.all(sessions.slice(1).map(({ id }) => server.remove(id)))
  expect(await checked(server.home)).toMatchObject({ isSound: true, lost: [] })
})

test('[STORE39] a damaged file refuses an append as damaged, and not as one that cannot be written', async () => {
  const { id } = await longSession()
  await server.kill()
  settle(file())
  for (const page of pagesOf(file(), 'sqlite_autoindex_events_1')) flip(file(), page)
  const store = createSqliteStore(openDatabase({ file: file() }))
  await expect(store.read(id, { limit: 10 })).rejects.toMatchObject({ code: 'damaged' })
  await store.close().catch(() => undefined)
  await server.restart()
  await expect(
    server.client.call(routes.send, { params: { id }, body: { text: '!ls' } }),
  ).rejects.toMatchObject(refusedAs('damaged'))
  expect(await exportAs(id, 'md')).toContain('word-12-')
})
