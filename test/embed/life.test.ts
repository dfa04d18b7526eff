import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { startServer } from '../support/server.ts'
import { useEmbedded } from './embedded.ts'

const embedded = useEmbedded()

test('[EMBED8] the server ends with the last agent that shares it, and only if an agent started it', async () => {
  const home = join(embedded.root, 'shared')
  const one = await embedded.agent({ home })
  const two = await embedded.agent({ home })
  expect(two.url).toBe(one.url)
  await one.send('!true')
  await one.close()
  expect((await two.send('!echo still')).text).toContain('still')
  await two.close({ shells: 'end' })
  expect(existsSync(join(home, 'server.json'))).toBe(false)
  const again = await embedded.agent({ home, session: two.session })
  expect((await again.send('!echo again')).text).toContain('again')
  await again.close({ shells: 'end' })
})

test('[EMBED8] a server that runs already is attached to, and left running', async () => {
  const server = await startServer({ env: { TANDEM_BASE_URL: embedded.model.baseUrl } })
  try {
    const agent = await embedded.agent({ home: server.home, workspace: server.workspace })
    expect(agent.url).toBe(server.url)
    const session = await server.client.call(routes.session, { params: { id: agent.session } })
    expect(session.workspace).toBe(server.workspace)
    await agent.send('!true')
    await agent.close({ shells: 'end' })
    expect((await server.client.call(routes.health, {})).pid).toBe(server.process.pid)
    const { shell } = await server.client.call(routes.session, { params: { id: agent.session } })
    expect(shell).not.toBeNull()
  } finally {
    await server.close()
  }
})

test('[EMBED5] whatever is wrong is an AgentError with a code and a sentence', async () => {
  const { createAgent, AgentError } = embedded.tandem
  const { home, workspace, root } = embedded
  const why = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    return error
  }
  expect(await why(createAgent({ home, workspace: join(root, 'nowhere') }))).toMatchObject({
    code: 'bad_workspace',
    message: `there is no folder ${join(root, 'nowhere')}`,
  })
  const other = join(root, 'other')
  expect(await why(createAgent({ home: other, workspace, model: 'nonsense' }))).toMatchObject({
    code: 'start',
    message: expect.stringContaining('nonsense'),
  })
  expect(await why(createAgent({ home, session: 'no id' }))).toMatchObject({ code: 'not_found' })
  expect(await why(createAgent({ home, session: 'a'.repeat(36) }))).toMatchObject({
    code: 'not_found',
  })
  expect(await why(createAgent({ home, session: 'a'.repeat(36), workspace }))).toMatchObject({
    code: 'bad_request',
  })
  const agent = await embedded.agent()
  expect(await why(agent.send('/nonsense'))).toMatchObject({ code: 'unknown_command' })
  const ask = 'ask-00000000-0000-4000-8000-000000000000'
  expect(await why(agent.answer(ask, 'allow'))).toMatchObject({ code: 'unknown_ask' })
  await agent.close()
  await agent.close()
  expect(await why(agent.send('!true'))).toMatchObject({ code: 'closed' })
})

test('[EMBED5] what waits when the agent is closed is told so', async () => {
  const agent = await embedded.agent()
  embedded.model.say({ pieces: ['Once '], ending: new Promise<void>(() => undefined) })
  const heard = new Promise<void>((resolve) => {
    agent.subscribe((frame) => frame.type === 'delta' && resolve())
  })
  const sent = agent.send('tell').catch((error: unknown) => error)
  await heard
  await agent.close()
  expect(await sent).toMatchObject({ name: 'AgentError', code: 'closed' })
})
