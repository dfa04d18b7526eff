import { startServer, type TestServer } from '../../test/support/server.ts'
import type { TestSession } from '../../test/support/session.ts'
import { tempFolder } from '../../test/support/temp.ts'
import { createFlood, type Flood } from './source.ts'

/** A server with one warm session, and something to flood it with. */
export interface World {
  server: TestServer
  session: TestSession
  flood: Flood
  /** Of server and holder. */
  pids: readonly [number, number]
  close(): Promise<void>
}

const warmUp = 20

export async function openWorld(): Promise<World> {
  const temp = await tempFolder()
  const flood = await createFlood(temp.path)
  const server = await startServer()
  const session = await server.session()
  for (let n = 0; n < warmUp; n += 1) await session.run('true')
  const { shell } = await session.view()
  const [holder = 0] = await server.holdersOf(shell!.pid)
  return {
    server,
    session,
    flood,
    pids: [server.process.pid ?? 0, holder],
    async close() {
      session.close()
      await server.close()
      await temp.remove()
    },
  }
}

/** Resolves to the milliseconds that something took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
