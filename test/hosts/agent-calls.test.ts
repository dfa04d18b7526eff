import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { callAgent } from '../http/agent-client.ts'
import type { TestServer } from '../support/server.ts'
import { startWorld } from '../support/world.ts'

/** Only health tells how many sessions are in memory. */
async function untilGone({ client }: TestServer): Promise<void> {
  while ((await client.call(routes.health, {})).sessions !== 0) await delay(20)
}

/** The logs of the calls, which only the store tells. */
async function logsOf(server: TestServer) {
  const store = openSqliteStore({ file: join(server.home, 'tandem.db') })
  const sessions = await store.list({ listed: false, limit: 100 })
  const logs = await Promise.all(sessions.map(({ id }) => store.read(id, { limit: 1_000 })))
  await store.close()
  return { sessions, logs }
}

const listed = async ({ client }: TestServer) =>
  (await client.call(routes.sessions, { query: {} })).sessions

const go = { messages: [{ role: 'user', content: 'count' }] }

test('[HOST8] the session of a stateless call is in no list, leaves memory with its end, and its log stays', async () => {
  const { server, model, close } = await startWorld()
  onTestFinished(close)
  model.say('<shell>echo one</shell>', 'One.')
  const lines = await callAgent(server, go)
  expect(lines.at(-1)).toEqual({ type: 'done' })
  await untilGone(server)
  expect(await listed(server)).toEqual([])
  const { sessions, logs } = await logsOf(server)
  expect(sessions.map(({ live }) => live)).toEqual([false])
  expect(logs[0]?.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['run_end', 'agent_end', 'shell_exit']),
  )
})

test('[HOST8] [HTTP74] a caller who leaves in a reply or in a command leaves nothing in memory, no shell and no entry', async () => {
  const { server, model, close } = await startWorld()
  onTestFinished(close)
  model.say({ pieces: ['so'], ending: new Promise(() => undefined) })
  const inReply = new AbortController()
  const first = callAgent(server, go, inReply.signal)
  await model.request(1)
  inReply.abort()
  await expect(first).rejects.toThrow()
  await untilGone(server)
  model.say('<shell>tail -f /dev/null</shell>')
  const inCommand = new AbortController()
  const response = await fetch(`${server.url}/api/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(go),
    signal: inCommand.signal,
  })
  let heard = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    heard += decoder.decode(chunk, { stream: true })
    if (heard.includes('tool-call')) break
  }
  inCommand.abort()
  await untilGone(server)
  expect(await listed(server)).toEqual([])
  const { sessions, logs } = await logsOf(server)
  expect(sessions.map(({ live }) => live)).toEqual([false, false])
  for (const log of logs) {
    const types = log.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['agent_end', 'step_end']))
    expect(types.includes('shell_start')).toBe(types.includes('shell_exit'))
  }
})

test('[HOST8] what a server left of a stateless call when it was killed is ended by the next one', async () => {
  const { server, model, close } = await startWorld()
  onTestFinished(close)
  model.say({ pieces: ['so'], ending: new Promise(() => undefined) })
  const lost = callAgent(server, go)
  lost.catch(() => undefined)
  await model.request(1)
  await server.restart()
  await expect(lost).rejects.toThrow()
  await untilGone(server)
  expect(await listed(server)).toEqual([])
  expect((await logsOf(server)).sessions.map(({ live }) => live)).toEqual([false])
})

test('[HTTP72] a history may end with a result, and the model goes on from it', async () => {
  const { server, model, close } = await startWorld()
  onTestFinished(close)
  model.say('I see.')
  const lines = await callAgent(server, {
    messages: [
      { role: 'user', content: 'look', id: 'a', timestamp: 1 },
      { role: 'assistant', content: '<shell>ls</shell>', id: 'b', timestamp: 2 },
      { role: 'tool', content: 'a b', id: 'c', timestamp: 3 },
    ],
  })
  expect(lines.map(({ type }) => type)).toEqual(['text', 'text', 'iteration-end', 'done'])
  const { messages } = await model.request(1)
  expect(messages.at(-1)).toEqual({ role: 'user', content: '$ ls\na b\n[exit 0]' })
  for (const history of [
    [{ role: 'assistant', content: 'x' }],
    [{ role: 'system', content: 'x' }],
    [{ role: 'tool', content: ' ' }],
  ])
    await expect(callAgent(server, { messages: history })).rejects.toThrow('bad_request')
  expect((await logsOf(server)).sessions).toHaveLength(1)
})

test('[HTTP72] workspace and mode are the caller’s, checked as those of any session', async () => {
  const { server, model, close } = await startWorld()
  onTestFinished(close)
  const { workspace } = server
  const refusals = [
    [{ workspace: '/nowhere' }, 'bad_workspace'],
    [{ workspace: 'here' }, 'bad_workspace'],
    [{ workspace, approval: 'trusted-session' }, 'bad_mode'],
    [{ workspace, approval: 'never' }, 'bad_request'],
  ] as const
  for (const [settings, code] of refusals)
    await expect(callAgent(server, { ...go, ...settings })).rejects.toThrow(code)
  const ran = async (settings: object, command: string) => {
    model.say(`<shell>${command}</shell>`, 'Done.')
    const lines = await callAgent(server, { ...go, workspace, ...settings })
    return lines.flatMap((line) => (line.type === 'tool-result' ? [line.result] : []))
  }
  expect(await ran({}, 'pwd')).toEqual([workspace])
  expect(await ran({ approval: 'refuse' }, 'pwd')).toEqual([expect.stringMatching(/^\[not run/)])
  expect(await ran({}, 'echo x > made')).toEqual([expect.stringMatching(/^\[not run/)])
  await server.client.call(routes.trust, { body: { folder: workspace, trusted: true } })
  expect(await ran({ approval: 'trusted-session' }, 'echo x > made')).toEqual([''])
})
