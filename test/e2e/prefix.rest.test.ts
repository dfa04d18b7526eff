// takes: 67 s
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import { allProviders } from '../models/all-providers.ts'
import type { Provider, ProviderServer, ScriptedReply } from '../models/provider.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

const tomorrow = pathToFileURL(join(process.cwd(), 'test/support/preload/tomorrow.mjs')).href

/** The model runs a command, in its dialect. */
function runs(dialect: Dialect, command: string): ScriptedReply {
  if (dialect === 'tags') return { parts: [{ type: 'text', text: `so <shell>${command}</shell>` }] }
  const args = `{ "command" : ${JSON.stringify(command)} }`
  return { parts: [{ type: 'call', name: 'terminal_execute', args }] }
}

interface Walk {
  provider: Provider
  dialect: Dialect
  model: ProviderServer
  server: TestServer
}

/** Says yes to everything, for as long as the session is followed. */
async function allowAll(session: TestSession): Promise<void> {
  for (let n = session.all('elicitation_response').length + 1; ; n++) {
    await session.until('elicitation_request', n)
    await session.answer('allow')
    await session.until('elicitation_response', n)
  }
}

async function turn(session: TestSession, text: string): Promise<void> {
  const before = session.all('agent_end').length
  await session.send(text)
  await session.until('agent_end', before + 1)
}

/** Rule 1 over everything that was sent: 1.0000 in the words of the comparison with others. */
function expectOnePrefix(provider: Provider, model: ProviderServer): void {
  const all = model.requests.map(({ body }) => provider.items(body))
  all.forEach((items, index) => {
    const before = all[index - 1] ?? []
    expect(items.slice(0, before.length)).toEqual(before)
  })
}

async function walk({ provider, dialect, model, server }: Walk): Promise<void> {
  let session = await server.session()
  void allowAll(session)
  // a: plain steps
  model.say(runs(dialect, 'pwd'), runs(dialect, 'cd / && pwd'), runs(dialect, 'false'), 'done')
  await turn(session, 'look around')
  // b: after a command of the person’s
  await session.run('echo mine')
  model.say('seen')
  await turn(session, 'and now?')
  // c1: abort while text streams
  model.say({
    parts: [{ type: 'text', text: 'half a thou' }],
    ending: new Promise(() => undefined),
  })
  await session.send('tell me')
  await session.untilDelta((delta) => delta.type === 'message_delta' && delta.text.includes('half'))
  await session.abort()
  await session.until('step_end', session.all('step_start').length)
  // c2: abort while a command runs
  model.say(runs(dialect, 'sleep 1000'))
  await session.send('wait')
  const started = session.all('run_start').length + 1
  await session.until('run_start', started)
  await session.abort()
  await session.until('run_end', started)
  model.say('all right')
  await turn(session, 'go on')
  // d: quit and resume; d′: with a new file in the project; d″: on another day
  await writeFile(join(server.workspace, 'AGENTS.md'), 'new here')
  const ended = session.all('agent_end').length
  session.close()
  await server.restart({ NODE_OPTIONS: `--import ${tomorrow}`, TZ: 'Asia/Tokyo', USER: 'somebody' })
  session = server.reopen(session)
  await session.until('agent_end', ended)
  void allowAll(session)
  model.say(runs(dialect, 'pwd'), 'still here')
  await turn(session, 'are you there?')
  // e: one large output; e′: many of 30 kB; e″: more turns
  model.say(runs(dialect, 'head -c 5000000 /dev/zero | tr "\\0" x'), 'that was much')
  await turn(session, 'print a lot')
  model.say(...Array.from({ length: 30 }, () => runs(dialect, 'seq 6000')), 'enough')
  await turn(session, 'again and again')
  for (const text of ['one', 'two', 'three']) {
    model.say('yes')
    await turn(session, text)
  }
  expectOnePrefix(provider, model)
  const steps = session.all('step_end')
  expect(steps.every(({ witness }) => witness.ok)).toBe(true)
  expect(session.all('error')).toEqual([])
  // Every request but the first repeats the whole of the one before.
  const bytes = session.all('step_start').map(({ request }) => request.bytes)
  expect(steps.slice(1).map(({ witness }) => witness.prefixBytes)).toEqual(bytes.slice(0, -1))
  session.close()
}

describe.each(cases)('$name', ({ provider, dialect }) => {
  test('[TR11] requests only grow: steps, a person’s command, aborts, a restart on another day, large outputs', async () => {
    const model = await provider.start()
    const server = await startServer(serverOptions(provider, { baseUrl: model.baseUrl, dialect }))
    try {
      await walk({ provider, dialect, model, server })
    } finally {
      await server.close()
      await model.close()
    }
  }, 120_000)
})

test('[TR12] system prompt and tools are the same bytes on another day, in another folder, for another person', async () => {
  const [{ provider, dialect } = cases[0]!] = cases
  const heads: (string | undefined)[] = []
  for (const env of [
    { USER: 'one' },
    { USER: 'two', LOGNAME: 'two', TZ: 'Asia/Tokyo', NODE_OPTIONS: `--import ${tomorrow}` },
  ]) {
    const model = await provider.start()
    const options = serverOptions(provider, { baseUrl: model.baseUrl, dialect })
    const server = await startServer({ ...options, env: { ...options.env, ...env } })
    const session = await server.session()
    model.say('hi')
    await turn(session, 'hello')
    heads.push(provider.items(model.requests[0]?.body ?? '')[0])
    session.close()
    await server.close()
    await model.close()
  }
  expect(heads[1]).toBe(heads[0])
})
