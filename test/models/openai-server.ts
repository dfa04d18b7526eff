import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignal } from '../support/signal.ts'
import type { ProviderRequest, ProviderServer, ScriptedReply } from './provider.ts'

export const apiKey = 'a-key-of-openai'

/** Ids that the server made up; they are new each time. */
export const madeUp = /call_auto_\d+/g

/** What one of OpenAI’s two protocols adds to a server. */
export interface Format {
  path: string
  /** Why the real one would answer with 400; null if it would not. */
  refusalOf(body: string): string | null
  /** The events of a reply: what is said, and how it ends. */
  events(reply: ScriptedReply): { said: readonly string[]; end: readonly string[] }
}

export interface OpenaiServer extends ProviderServer {
  /** A stream of these very bytes; it closes after the last. */
  sayBytes(text: string): void
  /** These bytes, and then a connection that breaks. */
  sayCut(text: string): void
  /** This status with this very body. */
  sayError(status: number, body: string): void
}

type Scripted = ScriptedReply | { bytes: string; isCut: boolean } | { status: number; body: string }

let ids = 0

export async function startOpenaiServer(format: Format): Promise<OpenaiServer> {
  const script: Scripted[] = []
  const requests: ProviderRequest[] = []
  const arrived = createSignal()
  let sizes: readonly number[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const { url: path = '', headers } = request
    requests.push({ path, headers, body })
    arrived.fire()
    if (path !== format.path)
      return fail(response, { status: 404, message: `Invalid URL (${path})` })
    if (headers.authorization !== `Bearer ${apiKey}`)
      return fail(response, { status: 401, message: 'Incorrect API key provided' })
    const refusal = format.refusalOf(body)
    if (refusal !== null) return fail(response, { status: 400, message: refusal })
    const reply = script.shift() ?? replyOf('(the script is over)')
    if ('bytes' in reply) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (!reply.isCut) return void response.end(reply.bytes)
      response.write(reply.bytes)
      return void response.socket?.end()
    }
    if ('status' in reply) return void response.writeHead(reply.status).end(reply.body)
    if (reply.error) return fail(response, reply.error)
    await stream(response, reply)
  }

  async function stream(response: ServerResponse, reply: ScriptedReply): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const send = async (events: readonly string[]) => {
      for (const piece of cut(Buffer.from(events.join('')), sizes)) await write(response, piece)
    }
    const { ending = 'done' } = reply
    const { said, end } = format.events(reply)
    await send(said)
    // Closed in the middle of a chunked body: everything sent arrives, its end does not.
    if (ending === 'cut') return void response.socket?.end()
    if (ending === 'endless') return void response.end()
    if (typeof ending !== 'string') await ending
    await send(end)
    response.end()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    say(...replies) {
      script.push(...replies.map(replyOf))
    },
    sayBytes: (bytes) => void script.push({ bytes, isCut: false }),
    sayCut: (bytes) => void script.push({ bytes, isCut: true }),
    sayError: (status, body) => void script.push({ status, body }),
    hush: () => void script.splice(0),
    async request(n) {
      await arrived.until(() => requests.length >= n)
      return requests[n - 1]!
    },
    cutAt(...next) {
      sizes = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
}

function fail(response: ServerResponse, error: NonNullable<ScriptedReply['error']>): void {
  const { status, message, retryAfter } = error
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  })
  const [type, code] = kinds[status] ?? ['server_error', null]
  response.end(JSON.stringify({ error: { message, type, param: null, code } }))
}

/** Pieces that lie ready together are read as one: each waits until the last has gone. */
async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  await new Promise<void>((resolve) => response.write(piece, () => resolve()))
  await new Promise<void>((resolve) => setImmediate(resolve))
}

function* cut(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  if (sizes.length === 0) return yield bytes
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const end = at + sizes[n % sizes.length]!
    yield bytes.subarray(at, end)
    at = end
  }
}

/** Calls get an id that no other has. */
function replyOf(reply: string | ScriptedReply): ScriptedReply {
  if (typeof reply === 'string') return { parts: [{ type: 'text', text: reply }] }
  const parts = reply.parts.map((part) =>
    part.type === 'call' ? { ...part, id: part.id ?? `call_auto_${++ids}` } : part,
  )
  return { ...reply, parts }
}

/** A few characters a piece, so that everything is split. */
export function inPieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? []
}
