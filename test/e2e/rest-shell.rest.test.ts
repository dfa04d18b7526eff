import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../src/protocol/events/event.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import type { ShellResult } from '../../src/protocol/http/team.ts'
import { openTestSession } from '../support/session.ts'
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts'

async function open(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer({ env: { TANDEM_MODEL: 'demo/offline' }, ...options })
  onTestFinished(() => server.close())
  return server
}

/** A real git repository, registered. */
async function repo(server: TestServer, name: string, team = 'default'): Promise<string> {
  const path = join(server.workspace, '..', 'repos', name)
  mkdirSync(path, { recursive: true })
  execFileSync('git', ['init', '--quiet', '--initial-branch', `of-${name}`, path])
  await server.client.call(routes.addRepo, { params: { team }, body: { path } })
  return realpathSync(path)
}

/** Waits for its end by the event stream, as clients of ours do, and then asks by REST. */
async function result(server: TestServer, id: string, team = 'default'): Promise<ShellResult> {
  const { sessions } = await server.client.call(routes.sessions, { query: { team } })
  for (const { id: session } of sessions) {
    const { events } = await server.client.call(routes.log, { params: { id: session } })
    if (!startsIn(events).includes(id)) continue
    const opened = openTestSession(server.client, session)
    for (let n = 1; (await opened.until('run_end', n)).run !== id; n += 1);
    opened.close()
  }
  return server.client.getShellResult(team, id)
}

function startsIn(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'run_start' ? [event.run] : []))
}

const raw = (server: TestServer, path: string, init: { method?: string; body?: string } = {}) =>
  fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
  })

test('[REST3] POST answers at once with an id, GET with exit code and both streams apart', async () => {
  const server = await open()
  await repo(server, 'shop')
  const body = JSON.stringify({ command: 'echo out; echo err >&2; exit 3', cwd: null, repo: null })
  const posted = await raw(server, '/teams/default/shell', { method: 'POST', body })
  expect(posted.status).toBe(202)
  const accepted = await posted.json()
  expect(accepted).toEqual({
    id: expect.stringMatching(/^sh-[0-9a-f]{8}-[0-9a-f-]{27}$/),
    status: 'running',
    command: 'echo out; echo err >&2; exit 3',
  })
  await result(server, accepted.id)
  const got = await raw(server, `/teams/default/shell/${accepted.id}`)
  expect(got.status).toBe(200)
  expect(await got.json()).toEqual({
    id: accepted.id,
    status: 'error',
    reason: 'exit',
    exit_code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
    duration_ms: expect.any(Number),
  })
  const fine = await server.client.runShell('default', { command: 'true' })
  expect(await result(server, fine.id)).toMatchObject({ status: 'done', exit_code: 0, stdout: '' })
})

test('[REST3] an error says why: exit, timeout, cancelled, not started or lost; the rest has no reason', async () => {
  const server = await open()
  const session = await server.session()
  const reasonOf = async (id: string) => {
    const { status, reason } = await result(server, id)
    return [status, reason]
  }
  const run = (command: string, cwd?: string) =>
    server.client.runShell('default', { command, session: session.id, ...(cwd && { cwd }) })
  expect(await reasonOf((await run('true')).id)).toEqual(['done', undefined])
  expect(await reasonOf((await run('exit 3')).id)).toEqual(['error', 'exit'])
  expect(await reasonOf((await run('kill -9 $$')).id)).toEqual(['error', 'exit'])
  expect(await reasonOf((await run('true', '/no/such/folder')).id)).toEqual([
    'error',
    'not_started',
  ])
  await session.send('/shell --timeout 1s sleep 60')
  const late = await session.until('run_start', 5)
  expect(await reasonOf(late.run)).toEqual(['error', 'timeout'])
  const taken = await run('sleep 60')
  expect(await server.client.getShellResult('default', taken.id)).not.toHaveProperty('reason')
  const request = session.all('tool_request').at(-1)
  await server.client.call(routes.queue, {
    params: { id: session.id },
    body: { seq: request?.seq ?? 0 },
  })
  expect(await reasonOf(taken.id)).toEqual(['error', 'cancelled'])
  const lost = await run('sleep 60')
  await server.kill()
  await server.restart()
  expect(await reasonOf(lost.id)).toEqual(['error', 'lost'])
})

test('[REST4] it works in the first repo, in the named one, in a folder, and without a repo in the team’s own', async () => {
  const server = await open()
  const where = async (place: { repo?: string; cwd?: string }) => {
    const { id } = await server.client.runShell('default', { command: 'pwd -P', ...place })
    return (await result(server, id)).stdout.trimEnd()
  }
  expect(await where({})).toBe(realpathSync(join(server.home, 'teams', 'default')))
  const [first, second] = [await repo(server, 'first'), await repo(server, 'second')]
  mkdirSync(join(second, 'src'))
  expect(await where({})).toBe(first)
  expect(await where({ repo: 'second' })).toBe(second)
  expect(await where({ repo: 'second', cwd: 'src' })).toBe(join(second, 'src'))
  expect(await where({ cwd: '/' })).toBe('/')
  const { id } = await server.client.runShell('default', {
    command: 'git branch --show-current',
    repo: 'second',
  })
  expect(await result(server, id)).toMatchObject({ stdout: 'of-second\n' })
})

test('[REST4] it lands in the team’s main session, made once, found after a restart and remade when deleted', async () => {
  const server = await open()
  const path = await repo(server, 'shop')
  const run = () => server.client.runShell('default', { command: 'true' })
  await Promise.all([run(), run(), run()])
  const main = async () => {
    const { sessions } = await server.client.call(routes.sessions, {})
    return sessions.map(({ id, title, workspace, team }) => ({ id, title, workspace, team }))
  }
  const [made, ...more] = await main()
  expect(more).toEqual([])
  expect(made).toMatchObject({ title: 'main', workspace: path, team: 'default' })
  await server.restart()
  await run()
  expect(await main()).toEqual([made])
  await server.remove(made!.id)
  await run()
  const again = await main()
  expect(again).toEqual([{ ...made, id: expect.any(String) }])
  expect(again[0]!.id).not.toBe(made!.id)
})

test('[REST4] a command for a given session is a call and a run in its log, told as the person’s', async () => {
  const server = await open()
  const session = await server.session()
  const { id } = await server.client.runShell('default', {
    command: 'echo hi',
    session: session.id,
  })
  const call = await session.until('tool_request')
  expect(call).toMatchObject({
    name: 'shell',
    meta: { isClientInitiated: true },
    run: { command: 'echo hi', lane: 'background', source: 'api' },
  })
  expect(await session.until('run_start')).toMatchObject({
    run: id,
    lane: 'background',
    request: call.seq,
  })
  expect((await session.answerTo(call.seq)).content).toContain('hi')
  await server.client.call(routes.createTeam, { body: { name: 'other' } })
  await expect(
    server.client.runShell('other', { command: 'true', session: session.id }),
  ).rejects.toThrow(`team "other" has no session ${session.id}`)
  await expect(
    server.client.runShell('default', { command: 'true', session: 'no-such-session' }),
  ).rejects.toThrow('there is no session no-such-session')
  session.close()
})

test('[REST1] an id is known only to its team, and only while its session is there', async () => {
  const server = await open()
  await server.client.call(routes.createTeam, { body: { name: 'other' } })
  const session = await server.session()
  const { id } = await server.client.runShell('default', { command: 'true', session: session.id })
  await result(server, id)
  const ids = [
    `/teams/other/shell/${id}`,
    `/teams/default/shell/sh-${'0'.repeat(36)}`,
    '/teams/default/shell/x',
  ]
  for (const path of ids) expect([path, (await raw(server, path)).status]).toEqual([path, 404])
  await session.send('!true')
  const typed = await session.until('run_start', 2)
  expect((await raw(server, `/teams/default/shell/${typed.run}`)).status).toBe(404)
  session.close()
  await server.remove(session.id)
  expect((await raw(server, `/teams/default/shell/${id}`)).status).toBe(404)
})

test('[REST3] while it runs the status is running and there is no exit code; stopped at its time it is an error', async () => {
  const server = await open({ config: { oneShotSeconds: 1 } })
  const command = "trap 'exit 0' TERM; echo begun; while :; do sleep 0.1; done"
  const { id } = await server.client.runShell('default', { command })
  expect(await server.client.getShellResult('default', id)).toMatchObject({
    status: 'running',
    exit_code: null,
    stdout: '',
    stderr: '',
  })
  expect(await result(server, id)).toMatchObject({ status: 'error', stdout: 'begun\n' })
})

test('[REST3] both streams together have at most 100,000 bytes, cut at whole characters, and say what is left out', async () => {
  const server = await open()
  const flood = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' 'x'`
  const end = async (command: string) => {
    const { id } = await server.client.runShell('default', { command })
    const { stdout, stderr } = await result(server, id)
    expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThanOrEqual(100_000)
    return { stdout, stderr }
  }
  const whole = await end(`${flood(60_000)}; ${flood(40_000)} >&2`)
  expect([whole.stdout.length, whole.stderr.length]).toEqual([60_000, 40_000])
  const both = await end(`echo first; ${flood(300_000)}; echo last; ${flood(300_000)} >&2`)
  expect(both.stdout).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+last\n$/)
  expect(Buffer.byteLength(both.stderr)).toBeGreaterThan(49_000)
  const one = await end(`${flood(300_000)}; echo problem >&2`)
  expect(one.stderr).toBe('problem\n')
  const [, left] = /\[… (\d+) bytes left out …\]/.exec(one.stdout) ?? []
  expect(Number(left) + one.stdout.replace(/\n\[.*\]\n/, '').length).toBe(300_000)
  const wide = await end("for n in $(seq 60000); do printf '€'; done")
  expect(wide.stdout.replace(/\n\[.*\]\n/, '')).toMatch(/^€+$/)
  const binary = await end('head -c 90000 /dev/urandom')
  expect(Buffer.byteLength(binary.stdout)).toBeGreaterThan(0)
})

test('[REST10] what cannot be run is refused with a sentence, and nothing of it is logged', async () => {
  const server = await open()
  const path = await repo(server, 'shop')
  const refused = async (order: object, team = 'default') => {
    const body = JSON.stringify(order)
    const answer = await raw(server, `/teams/${team}/shell`, { method: 'POST', body })
    const { error } = await answer.json()
    return [answer.status, error.code, error.message]
  }
  expect(await refused({ command: '  ' })).toEqual([422, 'empty_input', expect.any(String)])
  expect(await refused({ command: 'ls', repo: 'none' })).toEqual([
    404,
    'unknown_repo',
    expect.stringContaining('shop'),
  ])
  expect(await refused({ command: 'ls' }, 'nobody')).toEqual([
    404,
    'unknown_team',
    expect.stringContaining('tandem team create nobody'),
  ])
  expect(await refused({ command: 'ls', shell: 'x' })).toEqual([
    400,
    'bad_request',
    expect.any(String),
  ])
  expect(await refused({ command: 'a\0b' })).toEqual([422, 'bad_command', expect.any(String)])
  rmSync(path, { recursive: true })
  expect(await refused({ command: 'ls' })).toEqual([
    422,
    'bad_repo',
    expect.stringMatching(/"shop" is gone.*\/repo rm shop/),
  ])
  const { sessions } = await server.client.call(routes.sessions, {})
  for (const { id } of sessions) {
    const { events } = await server.client.call(routes.log, { params: { id } })
    expect(events.filter(({ type }) => type !== 'session_start')).toEqual([])
  }
})

test('[REST3] a folder that is not there is an error whose stderr says so', async () => {
  const server = await open()
  writeFileSync(join(server.workspace, 'file'), '')
  const why = async (cwd: string) => {
    const { id } = await server.client.runShell('default', { command: 'echo one\necho two', cwd })
    return result(server, id)
  }
  expect(await why(join(server.workspace, 'none'))).toMatchObject({
    status: 'error',
    exit_code: null,
    stdout: '',
    stderr: expect.stringMatching(/^The command was not run: the folder .*none does not exist\./),
  })
  expect((await why(join(server.workspace, 'file'))).stderr).toContain('is not a folder')
})

const keyReused = { fault: { kind: 'refused', refusal: { code: 'key_reused' } } }

test('[REST10] a repeated key runs the command once and gives the same id', async () => {
  const server = await open()
  const order = { params: { team: 'default' }, body: { command: 'echo once', key: 'again' } }
  const first = await server.client.call(routes.runShell, order)
  await result(server, first.id)
  expect(await server.client.call(routes.runShell, order)).toEqual(first)
  const other = { ...order, body: { command: 'echo another', key: 'again' } }
  await expect(server.client.call(routes.runShell, other)).rejects.toMatchObject(keyReused)
  const { sessions } = await server.client.call(routes.sessions, {})
  const { events } = await server.client.call(routes.log, { params: { id: sessions[0]!.id } })
  expect(startsIn(events)).toEqual([first.id])
})

test('[REST10] a key that belongs to something else is refused, and nothing is run', async () => {
  const server = await open()
  const session = await server.session()
  const { id } = session
  await server.client.runShell('default', { command: 'true', session: id })
  const typed = { text: '!true', key: 'mine' }
  await server.client.call(routes.send, { params: { id }, body: typed })
  await session.until('tool_response', 2)
  const { head } = await session.view()
  const order = { command: 'echo no', key: 'mine', session: id }
  await expect(
    server.client.call(routes.runShell, { params: { team: 'default' }, body: order }),
  ).rejects.toMatchObject(keyReused)
  expect((await session.view()).head).toBe(head)
})

test('[REST1] results are there after a restart; one that the server died over is an error', async () => {
  const server = await open()
  const kept = await server.client.runShell('default', { command: 'echo kept' })
  const before = await result(server, kept.id)
  const lost = await server.client.runShell('default', { command: 'sleep 600' })
  await server.restart()
  expect(await server.client.getShellResult('default', kept.id)).toEqual(before)
  expect(await result(server, lost.id)).toMatchObject({
    status: 'error',
    exit_code: null,
    stderr: expect.stringContaining('outcome unknown'),
  })
})
