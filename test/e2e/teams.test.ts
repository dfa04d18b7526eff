import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { modeWords } from '../../src/protocol/events/approval-mode.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

async function open(env: Record<string, string> = { TANDEM_MODEL: 'demo/offline' }) {
  const server = await startServer({ env })
  onTestFinished(() => server.close())
  return server
}

function gitRepo(server: TestServer, name: string): string {
  const path = join(server.workspace, '..', 'repos', name)
  mkdirSync(path, { recursive: true })
  execFileSync('git', ['init', '--quiet', path])
  return realpathSync(path)
}

/** What a command answers, as text. */
async function say(session: TestSession, text: string) {
  const { first } = await session.send(text)
  const { status, content, inContext } = await session.answerTo(first)
  return { status, content, inContext }
}

const team = { team: 'default' }

test('[TEAM10] teams and repos over HTTP: made, also by a session, listed, refused and forgotten', async () => {
  const server = await open()
  const { call } = server.client
  expect(await call(routes.teams, {})).toEqual({ teams: ['default'] })
  expect(await call(routes.createTeam, { body: { name: 'web' } })).toEqual({ name: 'web' })
  await expect(call(routes.createTeam, { body: { name: 'web' } })).rejects.toThrow('already a team')
  await expect(call(routes.createTeam, { body: { name: 'Not This' } })).rejects.toThrow(
    'not a team name',
  )
  const path = gitRepo(server, 'shop')
  const added = await call(routes.addRepo, { params: { team: 'web' }, body: { path } })
  expect(added).toEqual({ name: 'shop', path })
  const again = call(routes.addRepo, { params: { team: 'web' }, body: { path, name: 'two' } })
  await expect(again).rejects.toThrow(`${path} is already the repo "shop" of team "web".`)
  expect(await call(routes.repos, { params: { team: 'web' } })).toEqual({ repos: [added] })
  expect(await call(routes.repos, { params: team })).toEqual({ repos: [] })
  const params = { team: 'web', name: 'shop' }
  expect(await call(routes.removeRepo, { params })).toEqual(added)
  await expect(call(routes.removeRepo, { params })).rejects.toThrow('It has none yet')
  for (const route of [routes.repos, routes.tasks])
    await expect(call(route, { params: { team: 'nobody' } })).rejects.toThrow(
      'There is no team "nobody". There is: default, web.',
    )
  await call(routes.createSession, { body: { workspace: path, team: 'new' } })
  expect(await call(routes.teams, {})).toEqual({ teams: ['default', 'new', 'web'] })
})

test('[TEAM8] a session that starts in a git work tree gives the team its first repo', async () => {
  const server = await open()
  const repos = async () => (await server.client.call(routes.repos, { params: team })).repos
  await server.session()
  expect(await repos()).toEqual([])
  const path = gitRepo(server, 'shop')
  await server.session({ workspace: path })
  expect(await repos()).toEqual([{ name: 'shop', path }])
  await server.session({ workspace: gitRepo(server, 'other') })
  expect(await repos()).toEqual([{ name: 'shop', path }])
})

test('[TEAM10] /repo adds, lists and removes folders, relative to the workspace, in quotes or from home', async () => {
  const server = await open()
  const session = await server.session()
  const at = join(server.workspace, '..')
  const place = realpathSync(at)
  for (const name of ['back end', 'mine']) mkdirSync(join(at, name))
  mkdirSync(join(server.workspace, 'sub'))
  expect(await say(session, '/repo')).toMatchObject({
    status: 'done',
    content: expect.stringContaining('has no repo'),
    inContext: false,
  })
  expect(await say(session, '/repo add sub')).toEqual({
    status: 'done',
    content: `The team’s repo "sub" is now ${join(server.workspace, 'sub')}.`,
    inContext: true,
  })
  expect(await say(session, '/repo add "../back end" api')).toMatchObject({
    content: `The team’s repo "api" is now ${join(place, 'back end')}.`,
  })
  await say(session, '/repo add ~/mine')
  rmSync(join(at, 'mine'), { recursive: true })
  expect((await say(session, '/repo ls')).content).toBe(
    [
      `sub   ${join(server.workspace, 'sub')} (default)`,
      `api   ${join(place, 'back end')}`,
      `mine  ${join(place, 'mine')} (its folder is gone: /repo rm mine)`,
    ].join('\n'),
  )
  const used = session.send('/shell --repo mine ls')
  await expect(used).rejects.toThrow(/"mine" is gone.*\/repo rm mine/)
  expect(await say(session, '/repo rm mine')).toMatchObject({ status: 'done', inContext: true })
  for (const [text, why] of [
    ['/repo add', '<folder> is missing'],
    ['/repo add a b c', '"c" was not expected'],
    ['/repo add "a', 'is not closed'],
    ['/repo rm', '<name> is missing'],
    ['/repo ls x', '"x" was not expected'],
  ] as const)
    await expect(session.send(text)).rejects.toThrow(new RegExp(`${why}[^]*Usage: /repo \\[ls`))
  expect(await say(session, '/repo add nowhere')).toMatchObject({
    status: 'error',
    content: expect.stringContaining('no such folder'),
  })
})

test('[TASK1] /task, /assign and /approve lead a task from open to done, and each says what was expected', async () => {
  const server = await open()
  const session = await server.session()
  const content = async (text: string) => (await say(session, text)).content
  expect(await content('/task')).toBe('No tasks yet. Make one with: /task create <title>')
  expect(await say(session, '/task create Fix "the" build  now')).toEqual({
    status: 'done',
    content: 'T0001 is a new task: Fix "the" build now',
    inContext: true,
  })
  expect(await content('/approve T0001')).toContain('T0001 is open: nobody has it yet.')
  expect(await content('/assign t1 alice')).toBe('T0001 is assigned to alice: Fix "the" build now')
  expect(await content('/task show T0001')).toBe('T0001  assigned  Fix "the" build now (alice)')
  expect(await content('/task review T0001')).toContain('is in review')
  expect(await content('/approve T0001')).toContain('is approved and done')
  await content('/task create second')
  expect(await say(session, '/task list')).toEqual({
    status: 'done',
    content: 'T0002  open      second\n1 done',
    inContext: false,
  })
  expect(await content('/task done T0002')).toContain('T0002 is done')
  expect(await content('/task show T0042')).toContain('There is no task T0042.')
  await expect(session.send('/task create')).rejects.toThrow(/<title> is missing[^]*Usage: \/task/)
  expect(await content('/task show x')).toMatch(/"x" is no task such as T0042[^]*Usage: \/task/)
  expect(await content('/assign T0001 -x')).toMatch(/one word[^]*Usage: \/assign/)
})

test('[TASK1] tasks over HTTP are the same tasks', async () => {
  const server = await open()
  const { call } = server.client
  const made = await call(routes.createTask, { params: team, body: { title: ' one ' } })
  expect(made).toMatchObject({ id: 'T0001', title: 'one', status: 'open' })
  const params = { ...team, id: 'T0001' }
  const moved = await call(routes.moveTask, { params, body: { action: 'assign', to: 'bob' } })
  expect(moved).toMatchObject({ status: 'assigned', assignee: 'bob' })
  await call(routes.moveTask, { params, body: { action: 'approve' } })
  await expect(call(routes.moveTask, { params, body: { action: 'approve' } })).rejects.toThrow(
    'is done',
  )
  const { tasks } = await call(routes.tasks, { params: team })
  expect(tasks).toMatchObject([{ id: 'T0001', status: 'done', assignee: 'bob' }])
  const ghost = call(routes.moveTask, {
    params: { ...team, id: 'T0009' },
    body: { action: 'done' },
  })
  await expect(ghost).rejects.toThrow('There is no task T0009.')
})

test('[TEAM10] what a person changed in the team is told to the model, what they only looked at is not', async () => {
  const model = await startScriptedModel()
  onTestFinished(() => model.close())
  const server = await open({
    TANDEM_BASE_URL: model.baseUrl,
    TANDEM_MODEL: 'openai-compatible/one',
  })
  const session = await server.session()
  await say(session, '/task create paint it')
  await say(session, '/task list')
  await say(session, '/status')
  model.say('fine')
  await session.send('go on')
  await session.until('agent_end')
  const words = model.requests[0]!.messages.map(({ content }) => content).join('\n')
  expect(words).toContain('T0001 is a new task: paint it')
  expect(words).not.toContain('T0001  open')
  expect(words).not.toContain('approval')
})

test('[TEAM10] /status sums up session and team', async () => {
  const server = await open()
  const path = gitRepo(server, 'shop')
  const session = await server.session({ workspace: path })
  await session.run('cd /')
  await say(session, '/task create one')
  await say(session, '/task create two')
  await say(session, '/assign T0002 alice')
  expect(await say(session, '/status')).toEqual({
    status: 'done',
    inContext: false,
    content: [
      `session   ${session.id}`,
      `folder    ${path} (not trusted: /trust)`,
      'model     demo/offline',
      `approval  Ask for changes (guarded): ${modeWords.guarded.about}`,
      'private   no',
      'shell     running, in /',
      'turn      the model is idle',
      'queue     empty',
      '',
      'team      default',
      `repos     shop  ${path} (default)`,
      'tasks     1 open, 1 assigned, 0 in review, 0 done',
    ].join('\n'),
  })
})

test('[TRUST1] /trust and /v1/trust say of which folders the own files count', async () => {
  const server = await open()
  const session = await server.session()
  const { call } = server.client
  const folder = server.workspace
  expect((await say(session, '/trust list')).content).toBe('No folder is trusted.')
  expect(await say(session, '/trust')).toMatchObject({
    status: 'done',
    content: expect.stringContaining(`${folder} is trusted`),
    inContext: true,
  })
  expect((await call(routes.trusted, {})).folders).toMatchObject([{ path: folder }])
  const parent = join(folder, '..')
  expect(await call(routes.trust, { body: { folder: parent, trusted: true } })).toMatchObject({
    folder: realpathSync(parent),
    trusted: true,
  })
  expect((await say(session, '/trust revoke')).content).toContain('still trusted')
  expect(await call(routes.trust, { body: { folder: parent, trusted: false } })).toMatchObject({
    trusted: false,
  })
  expect((await say(session, '/trust revoke')).content).toContain('is not trusted')
  await expect(call(routes.trust, { body: { folder: '/', trusted: true } })).rejects.toThrow(
    'everything',
  )
})
