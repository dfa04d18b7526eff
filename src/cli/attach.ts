import { randomUUID } from 'node:crypto'
import { connect, type Client } from '../client/wire/connect.ts'
import type { Io } from './io.ts'
import { ensureServer, type FoundServer } from './server-process.ts'

export interface Attached {
  client: Client
  server: FoundServer
}

/** Connects to this data folder's server, which is started if there is none. */
export async function attach(io: Io, model?: string): Promise<Attached> {
  const { home, serverEntry } = io
  const server = await ensureServer({ home, serverEntry, model })
  return { client: clientOf(server), server }
}

export function clientOf({ url, access, fetch, approving }: FoundServer): Client {
  return connect({ url, access, fetch, approving, name: 'cli', newKey: randomUUID })
}

/** How often a command looks for a server that went away: for about ten seconds. */
export const scriptAttempts = 7
