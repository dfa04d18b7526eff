import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import process from 'node:process'
import { connect } from '../client/connect.ts'
import { routes } from '../protocol/routes.ts'
import { dataFolder } from '../server/data-folder.ts'
import { serve } from '../server/main.ts'
import type { RunningServer } from '../server/running-server.ts'

export interface SharedServer {
  server: RunningServer
  /** Ends it if it was started here and nobody else in this process uses it. */
  release(shells: 'keep' | 'end'): Promise<void>
}

interface Entry {
  started: Promise<RunningServer>
  users: number
}

/** Servers that run in this process, by data folder. */
const here = new Map<string, Entry>()

/** The server of a data folder: one that runs somewhere, or a new one in this process. */
export async function shareServer(options: {
  home: string | undefined
  model: string | undefined
}): Promise<SharedServer> {
  const { home = dataFolder(process.env), model } = options
  const folder = resolve(home)
  const entry = here.get(folder) ?? { started: serve({ home: folder, model, idleMs: 0 }), users: 0 }
  here.set(folder, entry)
  entry.users += 1
  const forget = () => {
    if (here.get(folder) === entry) here.delete(folder)
  }
  const server = await entry.started.catch((error: unknown) => {
    forget()
    throw error
  })
  // Another process's server is looked for anew each time: it may have gone meanwhile.
  if (server.attached) forget()
  return {
    server,
    async release(shells) {
      entry.users -= 1
      if (entry.users > 0 || server.attached) return
      forget()
      await end(server, shells)
    },
  }
}

async function end(server: RunningServer, shells: 'keep' | 'end'): Promise<void> {
  const { url, token } = server
  if (shells === 'keep') return server.close()
  const client = connect({ url, token, fetch, newKey: randomUUID })
  await client.call(routes.shutdown, { body: { shells } })
  await server.closed
}
