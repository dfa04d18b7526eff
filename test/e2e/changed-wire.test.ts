import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anthropic } from '../models/anthropic.ts'
import { openaiChat } from '../models/openai-chat.ts'
import { keyOf } from '../models/server-env.ts'
import { startServer } from '../support/server.ts'

test('[CMD6] a session goes on in a new epoch when its provider’s protocol is another after a restart', async () => {
  const [before, after] = await Promise.all([openaiChat.start(), anthropic.start()])
  const configOf = (wire: string, baseUrl: string, key: string) => ({
    model: 'mine/m',
    providers: { mine: { wire, baseUrl, strictAlternation: true, headers: headersOf(wire, key) } },
  })
  const server = await startServer({
    config: configOf('openai-chat', before.baseUrl, keyOf('openai-chat')),
  })
  onTestFinished(async () => {
    await server.close()
    await Promise.all([before.close(), after.close()])
  })
  const session = await server.session()
  before.say('first')
  await session.send('hello')
  await session.until('agent_end')
  session.close()
  const file = join(server.home, '..', '.config', 'tandem', 'config.json')
  await writeFile(file, JSON.stringify(configOf('anthropic', after.baseUrl, keyOf('anthropic'))))
  await server.restart()
  const again = server.reopen(session)
  after.say('second')
  await again.send('and now?')
  expect(await again.until('agent_end', 2)).toMatchObject({ reason: 'done' })
  expect(again.all('epoch_start').map((epoch) => epoch.adapter)).toEqual([
    'openai-chat-strict',
    'anthropic',
  ])
  expect(after.requests[0]?.body).toContain('first')
  again.close()
})

function headersOf(wire: string, key: string): Record<string, string> {
  return wire === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }
}
