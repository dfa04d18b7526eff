import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes, type RouteName } from '../../src/protocol/http/routes.ts'
import { nonce, testKey } from '../support/browser-key.ts'
import type { Witness } from './witness.ts'

/** A good request of one route, from which the bad ones are made, and what is bad of its own kind. */
export interface RouteRow {
  params?: Readonly<Record<string, string>>
  /** Of the right shape, of nobody: never found. */
  strangers?: Readonly<Record<string, string>>
  body?: unknown
  /** Well-formed and refused all the same: what for, the body, and with which code. */
  refused?: readonly (readonly [string, unknown, string])[]
  /** Well-formed, and said before: what for, and the body. */
  replayed?: readonly (readonly [string, unknown])[]
}

/** One row a route: a route without one does not compile. */
export type RouteRows = Record<RouteName, RouteRow>

export async function routeRows(witness: Witness): Promise<RouteRows> {
  const { server, session, canary } = witness
  const { client } = server
  await session.run('true')
  const [run] = session.all('run_start')
  const file = join(server.workspace, 'file')
  await writeFile(file, '')
  const folder = join(server.workspace, 'repo')
  await mkdir(folder)
  const team = 'default'
  const repo = await client.call(routes.addRepo, { params: { team }, body: { path: folder } })
  const task = await client.call(routes.createTask, { params: { team }, body: { title: 'one' } })
  const { name: other } = await client.call(routes.createTeam, { body: { name: 'others' } })
  const secret = new URL((await client.call(routes.secret, {})).url).hash.slice(8)
  const browser = { secret, key: testKey().key, name: 'Test 1.0' }
  const signed = await client.call(routes.exchange, { body: browser })
  const ran = await client.call(routes.runShell, {
    params: { team },
    body: { command: 'true', key: 'used', session: session.id },
  })
  const sent = { text: '!true', key: 'sent' }
  await client.call(routes.send, { params: { id: session.id }, body: sent })
  await session.untilEvents((await session.view()).head)
  for (const { seq } of session.all('tool_request')) await session.answerTo(seq)
  await witness.accept()

  const hostile = `touch '${canary}'`
  const ofSession = { params: { id: session.id }, strangers: { id: '01234567890123456789' } }
  const ofRun = {
    params: { ...ofSession.params, run: run?.run ?? '' },
    strangers: { ...ofSession.strangers, run: `sh-${randomUUID()}` },
  }
  const ofTeam = { params: { team }, strangers: { team: 'nobody' } }
  const badFolders = ['relative', '/no/such/folder', file, `${folder}\0`, `~`, '$(id)']

  return {
    hello: {
      body: { nonce: nonce(), browser: signed.browser },
      refused: [['a stranger', { nonce: nonce(), browser: randomUUID() }, 'unauthorized']],
    },
    pass: {
      body: { nonce: nonce(), proof: nonce() },
      refused: [['never greeted', { nonce: nonce(), proof: nonce() }, 'unauthorized']],
    },
    exchange: {
      body: { ...browser, secret: 'x' },
      refused: [
        ['a secret twice', browser, 'unauthorized'],
        ['no secret of ours', { ...browser, secret: 'x'.repeat(43) }, 'unauthorized'],
      ],
    },
    browsers: {},
    removeBrowser: { params: { id: signed.browser }, strangers: { id: randomUUID() } },
    health: {},
    secret: {},
    rotate: {},
    ticket: {},
    shutdown: { body: { shells: 'end' } },
    models: {},
    addProvider: {
      params: { name: 'server' },
      // Any name may be given to a server, but that one.
      strangers: { name: 'demo' },
      body: { baseUrl: 'http://127.0.0.1:9/v1', key: 'k', models: ['m'], keep: 'if-works' },
      refused: [
        ['a command for the key', { keyCommand: hostile }, 'bad_request'],
        ['a key of two lines', { key: 'a\nb' }, 'bad_request'],
        ['no address of ours', { baseUrl: 'file:///etc/passwd' }, 'bad_request'],
      ],
    },
    testProvider: { params: { name: 'demo' } },
    removeProvider: { params: { name: 'server' }, strangers: { name: 'nobody' } },
    sessions: {},
    createSession: {
      body: {
        workspace: server.workspace,
        team,
        title: 'x',
        approval: 'guarded',
        terminalFrom: session.id,
      },
      refused: badFolders.map((workspace) => [workspace, { workspace }, 'bad_workspace']),
    },
    session: ofSession,
    updateSession: {
      ...ofSession,
      body: { title: 'x', approval: 'guarded', private: true },
      refused: [['nothing', {}, 'nothing_to_change']],
    },
    deleteSession: ofSession,
    send: {
      ...ofSession,
      body: { text: `!${hostile}`, as: 'auto', timeoutMs: 0, key: 'k' },
      refused: [
        ['a NUL', { text: `!${hostile}\0` }, 'bad_command'],
        ['a time too long', { text: `!${hostile}`, timeoutMs: 2 ** 31 }, 'bad_request'],
        ['more than a shell takes', { text: `!${hostile} ${'x'.repeat(300_000)}` }, 'too_large'],
        ['no command', { text: '/nonsense' }, 'unknown_command'],
        ['a client’s own', { text: '/help' }, 'local_command'],
        ['a repo outside', { text: `/shell --repo ../.. ${hostile}` }, 'unknown_repo'],
      ],
      replayed: [
        ['the same key', sent],
        ['its key, another text', { ...sent, text: `!${hostile}` }],
      ],
    },
    answer: {
      ...ofSession,
      body: { ask: `ask-${randomUUID()}`, outcome: 'allow', command: hostile, word: 'x' },
      refused: [
        ['no such question', { ask: `ask-${randomUUID()}`, outcome: 'allow' }, 'unknown_ask'],
      ],
    },
    abort: { ...ofSession, body: {}, refused: [['no turn', {}, 'no_turn']] },
    interrupt: {
      ...ofSession,
      body: { signal: 'kill' },
      refused: (['int', 'term', 'kill'] as const).map((signal) => [signal, { signal }, 'no_run']),
    },
    keep: { ...ofSession, body: {}, refused: [['no run', {}, 'no_run']] },
    adopt: { ...ofSession, body: {}, refused: [] },
    driver: { ...ofSession, body: { driver: 'person' } },
    queue: {
      ...ofSession,
      body: { seq: 1, text: `!${hostile}` },
      refused: [
        ['not waiting', { seq: 1, text: hostile }, 'not_waiting'],
        ['not there', { seq: 99_999 }, 'not_waiting'],
      ],
    },
    events: ofSession,
    log: ofSession,
    run: ofRun,
    runOutput: ofRun,
    runBytes: ofRun,
    cache: ofSession,
    export: ofSession,
    complete: ofSession,
    history: ofSession,
    commands: ofSession,
    teams: {},
    createTeam: { body: { name: 'third' }, refused: [['taken', { name: team }, 'taken']] },
    repos: ofTeam,
    addRepo: {
      ...ofTeam,
      body: { path: folder, name: 'again' },
      refused: [
        ...badFolders.map((path) => [path, { path }, 'bad_repo'] as const),
        ['a name that is taken', { path: server.workspace, name: repo.name }, 'taken'],
      ],
    },
    removeRepo: {
      params: { team, name: repo.name },
      strangers: { team: 'nobody', name: 'nobody' },
    },
    tasks: ofTeam,
    createTask: { ...ofTeam, body: { title: 'two' } },
    moveTask: {
      params: { team, id: task.id },
      strangers: { team: 'nobody', id: 'T9999' },
      body: { action: 'assign', to: 'alice' },
      refused: [['too early', { action: 'approve' }, 'bad_task']],
    },
    trusted: {},
    rules: {},
    removeRule: { params: { id: 'rule-00000001' }, strangers: { id: 'rule-ffffffff' } },
    trust: {
      body: { folder: server.workspace, trusted: true },
      refused: [...badFolders, '/'].map((path) => [
        path,
        { folder: path, trusted: true },
        'bad_folder',
      ]),
    },
    runShell: {
      ...ofTeam,
      body: {
        command: hostile,
        cwd: null,
        repo: repo.name,
        session: session.id,
        key: 'k',
      },
      refused: [
        ['a NUL', { command: `${hostile}\0`, session: session.id }, 'bad_command'],
        ['nothing', { command: ' ', session: session.id }, 'empty_input'],
        ['a time too long', { command: hostile, timeoutMs: 2 ** 31 }, 'bad_request'],
        ['no such repo', { command: hostile, repo: '../..', session: session.id }, 'unknown_repo'],
        ['a NUL in the folder', { command: hostile, cwd: 'x\0', session: session.id }, 'bad_usage'],
        [
          'two folders',
          { command: hostile, cwd: '/', repo: repo.name, session: session.id },
          'bad_usage',
        ],
        ['no such session', { command: hostile, session: '0123456789' }, 'not_found'],
      ],
      replayed: [['the same key', { command: 'true', key: 'used', session: session.id }]],
    },
    shellResult: {
      params: { team, id: ran.id },
      strangers: { team: other, id: `sh-${randomUUID()}` },
    },
    stats: {},
    audit: {},
    skills: {},
    agent: {
      body: { messages: [{ role: 'user', content: 'x' }] },
      refused: [
        ['no prompt', { messages: [{ role: 'assistant', content: hostile }] }, 'bad_request'],
      ],
    },
  }
}
