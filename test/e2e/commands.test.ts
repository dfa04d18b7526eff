import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openDatabase } from '../../src/server/store/database.ts'
import { addProvider } from '../../src/client/server.ts'
import { anthropic } from '../models/anthropic.ts'
import { gemini } from '../models/gemini.ts'
import { keyOf, serverOptions } from '../models/server-env.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer } from '../support/server.ts'

async function world() {
  const model = await startScriptedModel()
  const env = { TANDEM_BASE_URL: model.baseUrl, TANDEM_MODEL: 'openai-compatible/one' }
  const server = await startServer({ env })
  onTestFinished(async () => {
    await server.close()
    await model.close()
  })
  const session = await server.session()
  model.say('first')
  await session.send('hello')
  await session.until('agent_end')
  return { model, server, session }
}

test('[CMD6] /model goes on with another model over the same words, in a new epoch, also after a restart', async () => {
  const { model, server, session } = await world()
  await session.send('/model openai-compatible/two')
  model.say('second', 'third')
  await session.send('and now?')
  await session.until('agent_end', 2)
  expect(session.all('epoch_start').map((epoch) => epoch.model)).toEqual([
    'openai-compatible/one',
    'openai-compatible/two',
  ])
  const [one, two] = model.requests
  expect(JSON.parse(two!.body).model).toBe('two')
  expect(two!.messages.slice(0, one!.messages.length)).toEqual(one!.messages)
  session.close()
  await server.restart()
  const again = server.reopen(session)
  await again.send('still?')
  await again.until('agent_end', 3)
  expect(JSON.parse((await model.request(3)).body).model).toBe('two')
  again.close()
})

test('[CMD6] /model refuses what there is not, and one that asks for commands in another way', async () => {
  const { session } = await world()
  await expect(session.send('/model nobody/nothing')).rejects.toThrow(/no provider "nobody"/)
  await expect(session.send('/model gemini/x')).rejects.toThrow(/needs a key: set GEMINI_API_KEY/)
  const scripted = await gemini.start()
  const native = await startServer(
    serverOptions(gemini, { baseUrl: scripted.baseUrl, dialect: 'tools' }),
  )
  onTestFinished(async () => {
    await native.close()
    await scripted.close()
  })
  const other = await native.session()
  scripted.say('hi')
  await other.send('hello')
  await other.until('agent_end')
  await expect(other.send('/model demo/offline')).rejects.toThrow(/Start a new session for it/)
})

test('[CMD6] a session that began with the demo goes on with a model that is added, in its dialect', async () => {
  const scripted = await anthropic.start()
  const server = await startServer()
  onTestFinished(async () => {
    await server.close()
    await scripted.close()
  })
  const session = await server.session()
  await session.send('where are we?')
  await session.until('agent_end')
  const tried = await addProvider(server.client, 'anthropic', {
    baseUrl: scripted.baseUrl,
    models: ['claude-test'],
    key: keyOf('anthropic'),
  })
  expect(tried).toMatchObject({ works: true, kept: true, model: 'anthropic/claude-test' })
  await session.send('hello')
  await session.until('agent_end', 2)
  expect(JSON.stringify(session.events)).toContain('/model anthropic/claude-test')
  await session.send('/model anthropic/claude-test')
  scripted.hush()
  scripted.say('<shell>echo from-tags</shell>', 'done')
  await session.send('go')
  await session.until('agent_end', 3)
  const body = scripted.requests.at(-1)?.body ?? ''
  expect(body).toContain('from-tags')
  expect(JSON.parse(body)).not.toHaveProperty('tools')
  expect(JSON.stringify(session.events)).not.toContain(keyOf('anthropic'))
})

test('[TYPE12] /cache and /model tell a person, and never the model', async () => {
  const { model, session } = await world()
  await session.send('/cache')
  const told = await session.until('tool_response')
  expect(told).toMatchObject({
    status: 'done',
    inContext: false,
    meta: { isClientInitiated: true },
  })
  expect(told.content).toMatch(/#\d+ {2}0 of \d+ bytes sent before; 64 of 100 tokens/)
  await session.send('/model')
  expect((await session.until('tool_response', 2)).content).toContain(
    '- The built-in demo: demo/offline',
  )
  model.say('fine')
  await session.send('go on')
  await session.until('agent_end', 2)
  expect(model.requests[1]!.messages.map(({ content }) => content)).toEqual([
    ...model.requests[0]!.messages.map(({ content }) => content),
    'first',
    'go on',
  ])
})

test('[CMD9] /compact extends the session by a summary, which alone begins the next; the old one stays', async () => {
  const { model, server, session } = await world()
  model.say('We said hello.')
  await session.send('/compact the greeting')
  const { next } = await session.until('session_update')
  const [one, two] = model.requests
  expect(two!.messages.slice(0, one!.messages.length)).toEqual(one!.messages)
  expect(two!.messages.at(-1)!.content).toContain('the greeting')
  const log = session.events.length
  const later = server.reopen({ ...session, id: next! })
  model.say('Hello again.')
  await later.send('do you remember?')
  await later.until('agent_end')
  const words = model.requests[2]!.messages.map(({ content }) => content).join('\n')
  expect(words).toContain('We said hello.')
  expect(words).not.toContain('first')
  expect(session.events).toHaveLength(log)
  later.close()
  await expect((await server.session()).send('/compact')).rejects.toThrow(/nothing to sum up/)
})

test('[CMD9] /compact keeps the chosen model and private mode', async () => {
  const { model, server, session } = await world()
  await session.send('/model openai-compatible/two')
  await session.send('/private on')
  model.say('We said hello.')
  await session.send('/compact')
  const { next } = await session.until('session_update', 3)
  const later = server.reopen({ ...session, id: next! })
  model.say('Hello again.')
  await later.send('do you remember?')
  await later.until('agent_end')
  expect(JSON.parse(model.requests[2]!.body).model).toBe('two')
  const view = await server.client.call(routes.session, { params: { id: next! } })
  expect(view).toMatchObject({ private: true })
  later.close()
})

/** A world whose disk does not take what these events say, as if the server died before it was told. */
async function cutAt(condition: string) {
  const { server, ...rest } = await world()
  const database = openDatabase({ file: join(server.home, 'tandem.db') })
  onTestFinished(() => database.close())
  database.exec(
    `CREATE TRIGGER cut BEFORE INSERT ON events WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'cut'); END`,
  )
  const sessions = async () => {
    const { sessions: all } = await server.client.call(routes.sessions, { query: {} })
    return new Set(all.map(({ id }) => id))
  }
  return { ...rest, server, sessions, mend: () => database.exec('DROP TRIGGER cut') }
}

const tellsNext = `NEW.type = 'session_update' AND instr(NEW.body, '"next"') > 0`

test('[LOG62] the session that goes on from a summary begins in the append that tells of it: both are stored or none', async () => {
  const { model, session, sessions, mend } = await cutAt(tellsNext)
  model.say('We said hello.', 'We said hello.')
  await session.send('/compact')
  expect(await session.until('error')).toMatchObject({ code: 'compact_failed' })
  expect(await sessions()).toEqual(new Set([session.id]))
  mend()
  await session.send('/compact')
  const { next } = await session.until('session_update')
  expect(await sessions()).toEqual(new Set([session.id, next]))
})

test('[LOG62] what a killed server had not told is done once by the next', async () => {
  const { model, server, session, sessions, mend } = await cutAt(
    `NEW.type = 'error' OR ${tellsNext}`,
  )
  model.say('We said hello.')
  await session.send('/compact')
  await session.until('agent_end', 2)
  await server.kill()
  mend()
  await server.restart()
  const again = server.reopen(session)
  const { next } = await again.until('session_update')
  expect(await sessions()).toEqual(new Set([session.id, next]))
  again.close()
})
