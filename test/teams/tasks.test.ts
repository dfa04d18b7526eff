import { expect, test } from 'vitest'
import type { TaskMove } from '../../src/protocol/http/team.ts'
import { openTestTeams } from '../support/teams.ts'

test('[TASK1] tasks are numbered within their team from T0001 and are there after a restart', async () => {
  const world = openTestTeams()
  world.teams.create('other')
  expect(world.teams.createTask('default', '  fix\n the   build ')).toEqual({
    ok: true,
    value: {
      id: 'T0001',
      title: 'fix the build',
      status: 'open',
      assignee: null,
      createdAt: 1_000,
      updatedAt: 1_000,
    },
  })
  world.teams.createTask('default', 'second')
  expect(world.teams.createTask('other', 'else')).toMatchObject({ value: { id: 'T0001' } })
  const { teams } = await world.again()
  expect(teams.tasks('default').map(({ id, title }) => [id, title])).toEqual([
    ['T0001', 'fix the build'],
    ['T0002', 'second'],
  ])
  expect(teams.createTask('default', 'third')).toMatchObject({ value: { id: 'T0003' } })
})

test('[TASK1] a task without a title, with one too long, or of no team is refused', () => {
  const { teams } = openTestTeams()
  expect(teams.createTask('default', ' \n ')).toMatchObject({ error: { code: 'bad_request' } })
  expect(teams.createTask('default', 'x'.repeat(201))).toMatchObject({
    error: { code: 'bad_request', message: expect.stringContaining('at most 200') },
  })
  expect(teams.createTask('nobody', 'x')).toMatchObject({ error: { code: 'unknown_team' } })
  expect(teams.tasks('default')).toEqual([])
})

test('[TASK1] a task goes from open over assigned and review to done, and back by a new assignment', () => {
  const { teams } = openTestTeams()
  teams.createTask('default', 'one')
  const move = (to: TaskMove) => {
    const moved = teams.moveTask('default', 'T0001', to)
    return moved.ok ? [moved.value.status, moved.value.assignee] : moved.error
  }
  const open = { code: 'bad_task', message: expect.stringContaining('T0001 is open') }
  const done = { code: 'bad_task', message: expect.stringMatching(/T0001 is done.*\/assign T0001/) }
  expect(move({ action: 'approve' })).toEqual(open)
  expect(move({ action: 'assign', to: 'alice' })).toEqual(['assigned', 'alice'])
  expect(move({ action: 'assign', to: 'bob' })).toEqual(['assigned', 'bob'])
  expect(move({ action: 'review' })).toEqual(['review', 'bob'])
  expect(move({ action: 'approve' })).toEqual(['done', 'bob'])
  expect(move({ action: 'approve' })).toEqual(done)
  expect(move({ action: 'review' })).toEqual(done)
  expect(move({ action: 'assign', to: 'alice' })).toEqual(['assigned', 'alice'])
  expect(move({ action: 'approve' })).toEqual(['done', 'alice'])
  expect(move({ action: 'done' })).toEqual(['done', 'alice'])
})

test('[TASK1] an unknown task is refused, and the open ones are named', () => {
  const { teams } = openTestTeams()
  const of = (id: string) => {
    const found = teams.moveTask('default', id, { action: 'done' })
    return found.ok ? found.value : found.error
  }
  expect(of('T0042')).toEqual({
    code: 'unknown_task',
    message: 'There is no task T0042. No task is open. Make one with: /task create <title>',
  })
  for (const title of ['one', 'two', 'three']) teams.createTask('default', title)
  teams.moveTask('default', 'T0002', { action: 'done' })
  expect(of('T0042')).toEqual({
    code: 'unknown_task',
    message: 'There is no task T0042. Open: T0001 one; T0003 three.',
  })
})
