import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../test/client/logs.ts'
import { routes } from '../protocol/http/routes.ts'
import { viewOf } from '../view/fold/entries.ts'
import { openSessions } from './sessions.ts'

const summary = (id: string, title: string | null = null) => ({
  id,
  team: 'default',
  workspace: '/w',
  title,
  createdAt: 0,
  updatedAt: 0,
  head: 0,
  preview: null,
  live: false,
})

function opened(...ids: readonly string[]) {
  let listed = ids.map((id) => summary(id))
  const asked: string[] = []
  const call = vi.fn(async (route: { path: string; method: string }, input: never) => {
    asked.push(`${route.method} ${route.path}`)
    if (route === routes.deleteSession) {
      const { params } = input as { params: { id: string } }
      listed = listed.filter(({ id }) => id !== params.id)
    }
    return route === routes.health ? { folder: '/home' } : { sessions: listed }
  })
  const sessions = openSessions({ call: call as never, onLocked: vi.fn(), onRefused: vi.fn() })
  const deletions = () => asked.filter((each) => each.startsWith('DELETE')).length
  const lists = () => asked.filter((each) => each === 'GET /v1/sessions').length
  return { sessions, deletions, lists }
}

test('[CLIENT35] a deletion can be taken back until its time is up, another one follows, or the client closes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sessions, deletions } = opened('session-1', 'session-2')
  const [one, two] = [summary('session-1'), summary('session-2')]
  sessions.remove(one)
  expect(sessions.leaving.get()).toBe(one)
  sessions.undo()
  vi.advanceTimersByTime(60_000)
  expect([sessions.leaving.get(), deletions()]).toEqual([null, 0])
  sessions.remove(one)
  sessions.remove(two)
  expect([sessions.leaving.get(), deletions()]).toEqual([two, 1])
  vi.advanceTimersByTime(60_000)
  expect([sessions.leaving.get(), deletions()]).toEqual([null, 2])
  sessions.remove(one)
  sessions.close()
  expect(deletions()).toBe(3)
})

test('[STORE39] damage that the server tells with its list is there for the page, until it is told no more', async () => {
  const damage = { message: 'The database is damaged.', damaged: ['session-1'], lost: [] }
  let answer: object = { sessions: [summary('session-1')], damage }
  const call = vi.fn(async () => answer)
  const sessions = openSessions({ call: call as never, onLocked: vi.fn(), onRefused: vi.fn() })
  await sessions.refresh()
  expect(sessions.damage.get()).toEqual(damage)
  answer = { sessions: [] }
  await sessions.refresh()
  expect(sessions.damage.get()).toBeNull()
})

test('[CLIENT35] the list is asked for again when the open session has become another than it says, and only then', async () => {
  const { sessions, lists } = opened('session-1')
  await sessions.refresh()
  const log = createLog()
  log.start()
  const seen = () => sessions.follow('session-1', viewOf(log.events()))
  seen()
  seen()
  expect(lists()).toBe(1)
  log.add({ type: 'session_update', title: 'a title' })
  seen()
  seen()
  await vi.waitFor(() => expect(lists()).toBe(2))
})

test('[CLIENT35] a new session belongs where the newest one is, or where the server started', async () => {
  const some = opened('session-1')
  await some.sessions.refresh()
  expect(await some.sessions.firstFolder()).toBe('/w')
  const none = opened()
  await none.sessions.refresh()
  expect(await none.sessions.firstFolder()).toBe('/home')
})

test('[CLIENT35] it is known how many sessions need the person, until that is done or seen', async () => {
  const { sessions } = opened('session-1', 'session-2')
  await sessions.refresh()
  const log = createLog()
  log.start()
  const needs = () => {
    sessions.follow('session-1', viewOf(log.events()))
    return sessions.needs.get()
  }
  expect(needs()).toBe(0)
  const call = log.call('rm -rf x')
  const ask = log.ask(call, 'rm -rf x')
  expect(needs()).toBe(1)
  log.answer(ask, 'deny')
  expect(needs()).toBe(0)
  log.endTurn(log.turn(log.prompt('hello')), 'failed')
  expect(needs()).toBe(1)
  sessions.saw('session-1')
  expect([sessions.needs.get(), needs()]).toEqual([0, 0])
})
