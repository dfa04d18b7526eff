import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { startServer } from '../support/server.ts'

test('[PROC4] a server that nobody uses ends by itself, but not while a run is under way', async () => {
  const server = await startServer({ config: { idleMinutes: 0.03 } })
  const exit = once(server.process, 'exit')
  const session = await server.session()
  // Twice as long as the limit, with nobody connected.
  await session.send('!sleep 4')
  await session.until('run_start')
  session.close()
  expect(await exit).toEqual([0, null])
  const store = openSqliteStore({ file: join(server.home, 'tandem.db') })
  const log = await store.read(session.id, { limit: 100 })
  await store.close()
  expect(log.find((event) => event.type === 'run_end')).toMatchObject({
    outcome: 'ended',
    exitCode: 0,
  })
  await server.close()
})
