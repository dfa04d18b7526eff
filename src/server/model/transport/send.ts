import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { type Agents, createAgents } from './agents.ts'
import { decoded } from './decode.ts'

/** An answer whose body is still on its way. */
export type Answer = Readable &
  Pick<IncomingMessage, 'headers'> & { statusCode?: number | undefined }

export interface SendOptions {
  headers: Readonly<Record<string, string>>
  /** Posted; left out: the address is only read. */
  body?: string | undefined
  signal: AbortSignal
  /** Left out: straight to the address. */
  agents?: Agents | undefined
}

const straight = createAgents()

/**
 * Sends a request. `fetch` gives an answer up after five minutes without a byte, and nobody can tell it otherwise; here
 * only the caller's signal does. A redirect is not followed: it could carry the key to another host.
 *
 * It is sent once. Where a kept connection was closed as we took it, nobody can know whether the server read the request
 * before, and bills it: whoever retries counts that, and tells it.
 */
export async function send(
  url: string,
  { headers, body, signal, agents = straight }: SendOptions,
): Promise<Answer> {
  const route = agents.route(new URL(url))
  const bytes = body === undefined ? null : Buffer.from(body)
  const { agent, host, port, path, servername } = route
  const settings = {
    agent,
    host,
    port,
    path,
    ...(servername !== undefined && { servername }),
    method: bytes === null ? 'GET' : 'POST',
    headers: {
      // Without it a server may choose for itself; pieces that are held back to be compressed come late.
      'accept-encoding': 'identity',
      ...(bytes === null
        ? { accept: 'application/json' }
        : { 'content-type': 'application/json', 'content-length': bytes.length }),
      ...route.headers,
      ...headers,
    },
  }
  return new Promise((resolve, reject) => {
    const sending = route.isSecure ? secureRequest(settings) : plainRequest(settings)
    sending.once('response', (received) => {
      const answer = decoded(received)
      // Its reader hears of its failure; one that comes when nobody reads any more must not end the server.
      answer.on('error', () => undefined)
      resolve(answer)
    })
    sending.on('error', reject)
    const abort = () => {
      reject(signal.reason)
      sending.destroy()
    }
    signal.addEventListener('abort', abort, { once: true })
    sending.once('close', () => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
    else sending.end(bytes ?? undefined)
  })
}
