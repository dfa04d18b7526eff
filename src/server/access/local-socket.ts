import { chmodSync, constants, lstatSync, openSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { StartError } from '../process/data-folder.ts'
import { Agent, type IncomingMessage, request } from 'node:http'

/** Beside the token in the data folder: programs of its owner need none. */
const socketFile = 'server.sock'
/** `sun_path` holds 108 bytes with its end; a longer path would be cut without a word. */
const maxPath = 100

/** A name of the socket that fits: a long one goes by the open folder. Null where the system knows no such way. */
function shortPath(home: string): string | null {
  const path = join(home, socketFile)
  if (Buffer.byteLength(path) <= maxPath) return path
  if (process.platform !== 'linux') return null
  const folder = openSync(home, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return `/proc/self/fd/${folder}/${socketFile}`
}

/**
 * Listens for programs of the owner. Nobody else gets here: the folder and the socket are the owner's alone, and the
 * caller holds the folder's lock, so that what lies there is left over. The answer removes it.
 */
export async function listenLocally(server: Server, home: string): Promise<() => void> {
  const path = shortPath(home)
  if (path === null) return () => undefined
  remove(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
  chmodSync(path, 0o600)
  return () => rmSync(path, { force: true })
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    throw new StartError('folder', `cannot use ${path}: is it a folder? Remove it.`, { cause })
  }
}

/** The socket of this folder's server, if one of ours lies there. */
export function findSocket(home: string): string | null {
  try {
    const stat = lstatSync(join(home, socketFile))
    return stat.isSocket() && stat.uid === process.getuid?.() ? shortPath(home) : null
  } catch {
    return null
  }
}

/** Idle connections go before the server ends them, so that no request meets a closing one. */
const idleMs = 5_000

/** `fetch` over a socket of the file system, for what our own clients ask. */
export function localFetch(socketPath: string): typeof globalThis.fetch {
  const agent = new Agent({ keepAlive: true, timeout: idleMs })
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(input instanceof Request ? input.url : input)
      const { method = 'GET', body = null, signal } = init
      const headers = { ...Object.fromEntries(new Headers(init.headers)), host }
      const asked = request(
        {
          socketPath,
          agent,
          method,
          path: pathname + search,
          headers,
          ...(signal && { signal }),
        },
        (incoming) => {
          const { statusCode: status = 500 } = incoming
          const bytes = status === 204 || status === 304 ? null : bodyOf(incoming)
          const said = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(new Response(bytes, { status, headers: said }))
        },
      )
      asked.on('error', reject)
      asked.end(typeof body === 'string' ? body : undefined)
    })
}

/** Read as fast as it is taken. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void incoming.destroy(),
  })
}
