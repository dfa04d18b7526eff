import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import type { TestServer } from '../support/server.ts'
import { startWorld } from '../support/world.ts'

const open = async ({ client }: TestServer) => (await client.call(routes.health, {})).sessions

/** Only health tells how many sessions are in memory. */
async function untilOpen(server: TestServer, count: number): Promise<void> {
  while ((await open(server)) !== count) await delay(20)
}

test('[HOST8] a session that nobody uses leaves memory and comes back as it was; one with a follower or a shell stays', async () => {
  // A fifth of a second: so long nobody has to use a session.
  const { server, model, close } = await startWorld({
    config: { sessionIdleMinutes: 0.2 / 60 },
  })
  onTestFinished(close)
  const session = await server.session()
  model.say('Hello.')
  await session.send('hi')
  await session.until('agent_end')
  const followed = await server.session()
  await followed.live()
  const shelled = await server.session()
  await shelled.run('KEPT=yes')
  shelled.close()
  const before = await session.view()
  session.close()
  await untilOpen(server, 2)
  const { sessions } = await server.client.call(routes.sessions, { query: {} })
  expect(sessions.map(({ id }) => id)).toEqual(
    expect.arrayContaining([session.id, followed.id, shelled.id]),
  )
  expect(await open(server)).toBe(2)
  const again = server.reopen(session)
  await again.live()
  expect(await again.view()).toEqual(before)
  expect(again.events).toHaveLength(before.head)
  model.say('Again.')
  await again.send('and now')
  await again.until('agent_end', 2)
  expect((await server.reopen(shelled).run('echo $KEPT')).content).toContain('\nyes\n')
  again.close()
  followed.close()
})
