import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Readable } from 'node:stream'

/** An answer whose body is still on its way. */
export type Answer = Readable &
  Pick<IncomingMessage, 'headers'> & { statusCode?: number | undefined }

export interface SendOptions {
  headers: Readonly<Record<string, string>>
  /** Left out: nothing is posted, an answer is only asked for. */
  body?: string | undefined
  signal: AbortSignal
}

/** A step comes soon after the last: its connection is kept, and keeps no process alive. */
const plainAgent = new PlainAgent({ keepAlive: true })
const secureAgent = new SecureAgent({ keepAlive: true })

/**
 * Posts a body. `fetch` gives an answer up after five minutes without a byte, and nobody can tell it otherwise; here only
 * the caller's signal does. A redirect is not followed: it could carry the key to another host.
 */
export async function send(url: string, options: SendOptions): Promise<IncomingMessage> {
  try {
    return await sendOnce(url, options)
  } catch (error) {
    // The server closed a kept connection while we took it: nothing of the request was read.
    if (!(error instanceof StaleConnection)) throw error
    return sendOnce(url, options)
  }
}

class StaleConnection extends Error {}

function sendOnce(url: string, { headers, body, signal }: SendOptions): Promise<IncomingMessage> {
  const target = new URL(url)
  const bytes = Buffer.from(body ?? '')
  const posted = { 'content-type': 'application/json', 'content-length': bytes.length }
  const settings =
    body === undefined
      ? { method: 'GET', headers: { accept: 'application/json', ...headers } }
      : { method: 'POST', headers: { ...posted, ...headers } }
  return new Promise((resolve, reject) => {
    const sending =
      target.protocol === 'https:'
        ? secureRequest(target, { ...settings, agent: secureAgent })
        : plainRequest(target, { ...settings, agent: plainAgent })
    sending.once('response', (answer) => {
      // Its reader hears of its failure; one that comes when nobody reads any more must not end the server.
      answer.on('error', () => undefined)
      resolve(answer)
    })
    sending.on('error', (cause: NodeJS.ErrnoException) => {
      const isStale = sending.reusedSocket && cause.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection('the connection was closed', { cause }) : cause)
    })
    const abort = () => {
      reject(signal.reason)
      sending.destroy()
    }
    signal.addEventListener('abort', abort, { once: true })
    sending.once('close', () => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
    else sending.end(bytes)
  })
}
