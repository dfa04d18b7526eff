import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeGate } from '../faults/support/gate.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import { openaiChat } from '../models/openai-chat.ts'
import type { ProviderServer } from '../models/provider.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { take } from './support/take.ts'

async function withServer(
  work: (server: TestServer, model: ProviderServer) => Promise<void>,
): Promise<void> {
  const model = await openaiChat.start()
  const { baseUrl } = model
  const server = await startServer(serverOptions(openaiChat, { baseUrl, dialect: 'tools' }))
  try {
    await work(server, model)
  } finally {
    await server.close()
    await model.close()
  }
}

/** What the model of a session is told when it looks at the terminal. */
async function look(session: TestSession, model: ProviderServer): Promise<string> {
  const before = session.all('agent_end').length
  const args = JSON.stringify({ lines: 50 })
  model.say({ parts: [{ type: 'call', name: 'terminal_read', args }] }, 'done')
  await session.send('look')
  await session.until('agent_end', before + 1)
  return session.all('tool_response').at(-1)?.content ?? ''
}

test.each([{ isWatched: true }, { isWatched: false }])(
  '[MOVE15] what was private in the first session is never read in the second, not even what a private job prints then (watched: $isWatched)',
  async ({ isWatched }) =>
    withServer(async (server, model) => {
      const first = await server.session()
      const gate = makeGate(server.workspace)
      await first.run('echo open-word')
      const viewer = isWatched ? await openViewer(server, first.id) : null
      await viewer?.untilSeen('open-word')
      // From a file: the shell itself names a job that has ended.
      await writeFile(join(server.workspace, 'late'), 'canary-late\n')
      const sent = await first.send(`!!echo canary-run; { ${gate.wait}; cat late; } &`)
      await first.answerTo(sent.first)
      const second = await take(server, first)
      // A person sees all of it.
      const person = await openViewer(server, second.id)
      await person.untilSeen('canary-run')
      expect(await look(second, model)).not.toContain('canary')
      await gate.open()
      await person.untilSeen('canary-late')
      expect(await look(second, model)).not.toContain('canary')
      await second.run('echo next-word')
      await server.restart()
      const again = server.reopen(second)
      await again.live()
      const seen = await look(again, model)
      expect(seen).toContain('next-word')
      expect(seen).not.toContain('canary')
      expect(model.requests.some(({ body }) => body.includes('canary'))).toBe(false)
    }),
)

test('[MOVE15] private mode comes along, and what was run in it stays hidden when it is left', () =>
  withServer(async (server, model) => {
    const first = await server.session()
    await first.run('echo open-word')
    await server.patch(first.id, { private: true })
    await first.run('echo canary-mode')
    const second = await take(server, first)
    expect((await second.view()).private).toBe(true)
    expect(await look(second, model)).toContain('not read: the user works in private')
    await second.run('echo canary-there')
    await server.patch(second.id, { private: false })
    await second.run('echo after-word')
    const seen = await look(second, model)
    expect(seen).toContain('after-word')
    expect(seen).not.toContain('canary')
    expect(model.requests.some(({ body }) => body.includes('canary'))).toBe(false)
  }))

test('[MOVE1] what was not private is read in the second session as people see it', () =>
  withServer(async (server, model) => {
    const first = await server.session()
    await first.run('echo open-word')
    const second = await take(server, first)
    expect(await look(second, model)).toContain('open-word')
  }))
