import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignal } from './signal.ts'

export interface ServedRequest {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The exact bytes that came, as text. */
  body: string
}

/** How one request is answered. */
export interface Exchange<Reply> {
  response: ServerResponse
  /** The next reply of the script, if it is not over. */
  next(): Reply | undefined
  stream(streamed: Streamed): Promise<void>
}

export interface Streamed {
  said: string
  /** What stands after everything that was said, if the reply ends. */
  end: string
  /** Break off in the middle of the body, close it without an end, wait before the end, or go on to it. */
  ending: string | Promise<void>
}

/** A server on loopback that answers from a script and remembers what it was asked. */
export interface ScriptedServer<Asked, Reply> {
  origin: string
  script: Reply[]
  requests: readonly Asked[]
  /** Resolves when the n-th request (from 1) has arrived. */
  request(n: number): Promise<Asked>
  /** Cuts what is streamed into pieces of these many bytes, over and over; none: as it is written. */
  cutAt(...sizes: readonly number[]): void
  close(): Promise<void>
}

export async function startScriptedServer<Asked, Reply>({
  read,
  answer,
}: {
  /** What is remembered of a request. */
  read(request: ServedRequest): Asked
  answer(asked: Asked, exchange: Exchange<Reply>): Promise<void> | void
}): Promise<ScriptedServer<Asked, Reply>> {
  const script: Reply[] = []
  const requests: Asked[] = []
  const arrived = createSignal()
  let sizes: readonly number[] = []
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = request
    const asked = read({ path, headers, body: Buffer.concat(chunks).toString('utf8') })
    requests.push(asked)
    arrived.fire()
    const stream = (streamed: Streamed) => streamOut(response, streamed, sizes)
    await answer(asked, { response, next: () => script.shift(), stream })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    script,
    requests,
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

async function streamOut(
  response: ServerResponse,
  { said, end, ending }: Streamed,
  sizes: readonly number[],
): Promise<void> {
  const send = async (text: string) => {
    for (const piece of cut(Buffer.from(text), sizes)) await write(response, piece)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  await send(said)
  // Closed in the middle of a chunked body: everything sent arrives, its end does not.
  if (ending === 'cut') return void response.socket?.end()
  if (ending === 'endless') return void response.end()
  if (typeof ending !== 'string') await ending
  await send(end)
  response.end()
}

/** Pieces that lie ready together are read as one: each waits until the last has gone. */
async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : resolve()))
  })
  await new Promise<void>((resolve) => setImmediate(resolve))
}

function* cut(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  if (sizes.length === 0) return yield bytes
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const end = at + Math.max(1, sizes[n % sizes.length]!)
    yield bytes.subarray(at, end)
    at = end
  }
}
