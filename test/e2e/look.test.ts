import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import { openaiChat } from '../models/openai-chat.ts'
import type { ProviderServer, ScriptedReply } from '../models/provider.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

let model: ProviderServer
let server: TestServer
let session: TestSession

beforeAll(async () => {
  model = await openaiChat.start()
  const { baseUrl } = model
  server = await startServer(serverOptions(openaiChat, { baseUrl, dialect: 'tools' }))
})

beforeEach(async () => {
  model.hush()
  session = await server.session()
})

afterAll(async () => {
  await server.close()
  await model.close()
})

const calls = (name: string, args: object = {}): ScriptedReply => ({
  parts: [{ type: 'call', name, args: JSON.stringify(args) }],
})

/** What the model is told when it calls this. */
async function ask(name: string, args: object = {}): Promise<string> {
  const before = session.all('agent_end').length
  model.say(calls(name, args), 'done')
  await session.send('do it')
  await session.until('agent_end', before + 1)
  return session.all('tool_response').at(-1)?.content ?? ''
}

const goPrivate = (on: boolean) =>
  server.client.call(routes.updateSession, { params: { id: session.id }, body: { private: on } })

test('[TERM110] the model reads the terminal as it is, with its own and the person’s commands', async () => {
  await session.run('echo mine')
  await ask('terminal_execute', { command: 'pwd' })
  const seen = await ask('terminal_read', { lines: 5 })
  expect(seen).toMatch(/echo mine\nmine\n.*pwd\n\/.*workspace\n/)
  expect(seen).toContain('[the terminal as it is now]')
})

test('[TERM110] before there is a shell, and while a private command runs, nothing is read', async () => {
  expect(await ask('terminal_read')).toContain('there is no terminal yet')
  await session.run('mkfifo gate')
  await session.send('!!echo canary; read -r _ <gate')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.output?.text.includes('canary') === true,
  )
  expect(await ask('terminal_read')).toContain('not read: the user is running a private command')
  await session.interrupt()
  await session.until('run_end', 2)
  expect(await ask('terminal_read')).not.toContain('canary')
  expect(model.requests.some(({ body }) => body.includes('canary'))).toBe(false)
})

test('[TERM117] what was typed and printed in private mode is never read', async () => {
  await session.run('echo before')
  await goPrivate(true)
  const viewer = await openViewer(server, session.id)
  viewer.type('echo canary-$((40 + 2))\n')
  await viewer.untilSeen('canary-42')
  expect(await ask('terminal_read')).toContain('not read: the user works in private')
  await goPrivate(false)
  await viewer.close()
  await session.run('echo after')
  const seen = await ask('terminal_read')
  expect(seen).toMatch(/before[\s\S]*echo after\nafter/)
  expect(seen).not.toContain('canary')
  expect(model.requests.some(({ body }) => body.includes('canary'))).toBe(false)
})

test('[TERM114] the model sets the size while nobody looks, and is told why not otherwise', async () => {
  await session.run('true')
  expect(await ask('terminal_resize', { rows: 30, cols: 90 })).toContain('has this size now')
  expect((await session.run('stty size')).content).toContain('30 90')
  const viewer = await openViewer(server, session.id, { rows: 40, cols: 100 })
  expect(await ask('terminal_resize', { rows: 30, cols: 90 })).toContain(
    'not resized: somebody is looking at the terminal',
  )
  expect((await session.run('stty size')).content).toContain('40 100')
  await viewer.close()
})

test('[TERM117] what is private stays hidden from a server that comes later', async () => {
  await session.run('echo before')
  await session.send('!!echo canary')
  await session.until('run_end', 2)
  await server.kill()
  await server.restart()
  session = server.reopen(session)
  await session.live()
  const seen = await ask('terminal_read')
  expect(seen).toContain('before')
  expect(seen).not.toContain('canary')
})
