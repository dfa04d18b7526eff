import { newSecret, rotateToken as replaceToken, shutDown } from '../../client/server.ts'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { tokenFile } from '../../server/process/data-folder.ts'
import { readStat } from '../../server/process/proc-stat.ts'
import { attach, clientOf } from '../attach.ts'
import { CliError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { ensureServer, findServer } from '../server-process.ts'

/** Shells are ended all at once; the stubborn ones within seconds, by the ladder. */
const endMs = 20_000
const pollMs = 20

/** `tandem stop`: returns when the server is gone. */
export async function stopCommand(
  io: Io,
  { shells, json }: { shells?: boolean; json?: boolean },
): Promise<void> {
  const { home, serverEntry } = io
  // Shells outlive their server; only a server can find and end them.
  const server = shells ? await ensureServer({ home, serverEntry }) : await findServer(home)
  if (server) {
    const body = { shells: shells ? ('end' as const) : ('keep' as const) }
    const { pid } = await shutDown(clientOf(server), body)
    await gone(pid)
  }
  const pid = server?.health.pid ?? null
  if (json) io.out(`${JSON.stringify({ pid })}\n`)
  else io.note(pid === null ? 'No server is running.' : `The server (process ${pid}) has ended.`)
}

async function gone(pid: number): Promise<void> {
  const end = performance.now() + endMs
  while (isAlive(pid)) {
    if (performance.now() > end)
      throw new CliError(`the server does not end. Kill it with: kill -9 ${pid}`)
    await delay(pollMs)
  }
}

/** A server that has ended but that nobody has reaped (in a container without an init) is gone as well. */
function isAlive(pid: number): boolean {
  if (readStat(pid)?.fields[0] === 'Z') return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** `tandem web`: an address that logs one browser in, once. */
export async function webCommand(io: Io, { json }: { json?: boolean }): Promise<void> {
  const { client } = await attach(io)
  const { url } = await newSecret(client)
  io.out(json ? `${JSON.stringify({ url })}\n` : `${url}\n`)
}

/** `tandem token rotate`: the new token is in its file, never on a screen. */
export async function rotateToken(io: Io): Promise<void> {
  const { client } = await attach(io)
  await replaceToken(client)
  io.note(`The token was replaced; the new one is in ${join(io.home, tokenFile)}`)
}
