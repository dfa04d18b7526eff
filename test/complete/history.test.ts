import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryQuery } from '../../src/protocol/http/completion.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function past(session: TestSession, query: Partial<HistoryQuery> = {}): Promise<string[]> {
  const inputs = await server.client.history(session.id, query)
  return inputs.map(({ text }) => text)
}

/** Answered by the demo model, which is always there. */
async function say(session: TestSession, text: string): Promise<void> {
  const turns = session.all('agent_end').length
  await session.send(text)
  await session.until('agent_end', turns + 1)
}

describe('input history over HTTP', () => {
  test('[HIST1] chat and shell inputs are kept apart, newest first, each text once', async () => {
    const session = await server.session()
    expect(await past(session)).toEqual([])
    await session.run('echo one')
    await session.send('!echo two')
    await session.until('run_end', 2)
    await say(session, 'hello there')
    await session.send('/status')
    await session.run('echo one')
    expect(await past(session, { kind: 'shell' })).toEqual(['echo one', 'echo two'])
    expect(await past(session)).toEqual(['/status', 'hello there'])
    expect(await past(session, { kind: 'shell', limit: 1 })).toEqual(['echo one'])
  })

  test('[HIST1] a text comes back as a text: recalled and sent again, nothing of it runs', async () => {
    const session = await server.session()
    await say(session, String.raw`\!touch escaped`)
    for (const text of ['!touch pasted', '  /clear\nnow', '/usr/bin/env is missing', '!']) {
      const turns = session.all('agent_end').length
      await server.client.send(session.id, { text, as: 'text' })
      await session.until('agent_end', turns + 1)
    }
    const recalled = (await past(session)).slice(0, 5)
    expect(recalled).toEqual([
      String.raw`\!`,
      '/usr/bin/env is missing',
      '  \\/clear\nnow',
      String.raw`\!touch pasted`,
      String.raw`\!touch escaped`,
    ])
    for (const text of recalled) await say(session, text)
    expect(session.all('tool_request')).toEqual([])
  })

  test('[HIST1] it is searched by a beginning, and by letters in order, best first', async () => {
    const session = await server.session()
    for (const command of ['printf alpha', 'printf beta', 'true a-l-p']) await session.run(command)
    expect(await past(session, { kind: 'shell', prefix: 'printf' })).toEqual([
      'printf beta',
      'printf alpha',
    ])
    expect((await past(session, { kind: 'shell', q: 'alp' }))[0]).toBe('printf alpha')
    expect(await past(session, { kind: 'shell', q: 'alp' })).toContain('true a-l-p')
    expect(await past(session, { kind: 'shell', prefix: 'true', q: 'alp' })).toEqual(['true a-l-p'])
    expect(await past(session, { kind: 'shell', q: 'zzzz' })).toEqual([])
  })

  test('[HIST1] private input and secrets are never in it, before and after a restart', async () => {
    const session = await server.session()
    await session.send('!!echo private-run')
    await session.until('run_end', 1)
    await session.run('export DB_PASSWORD=hunter2')
    await server.patch(session.id, { private: true })
    await session.run('echo private-mode')
    await server.patch(session.id, { private: false })
    await session.run('echo public')
    const shown = await past(session, { kind: 'shell' })
    expect(shown[0]).toBe('echo public')
    expect(shown.join('\n')).not.toMatch(/private-|hunter2/)
    await server.restart()
    const again = server.reopen(session)
    expect(await past(again, { kind: 'shell' })).toEqual(shown)
  })

  test('[HIST1] a team has its own, shared by its sessions; what a deleted session alone had is gone', async () => {
    const [one, two] = [await server.session(), await server.session()]
    await one.run('echo only-in-one')
    await one.run('echo in-both')
    await two.run('echo in-both')
    expect((await past(two, { kind: 'shell' })).slice(0, 2)).toEqual([
      'echo in-both',
      'echo only-in-one',
    ])
    await server.remove(two.id)
    const left = await past(one, { kind: 'shell' })
    expect(left.slice(0, 2)).toEqual(['echo in-both', 'echo only-in-one'])
    const three = await server.session()
    await server.remove(one.id)
    expect((await past(three, { kind: 'shell' })).join()).not.toMatch(/only-in-one|in-both/)
  })
})
