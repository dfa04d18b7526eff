import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { sseText } from '../../src/server/http/stream/deliver.ts'
import type { Item } from './logs.ts'

export interface Seen {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: unknown
}

export type Handler = (seen: Seen, response: ServerResponse) => void

/** A real HTTP server that remembers what it was asked and answers as the test says. */
export async function startServer(handler: Handler) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x')
      const text = Buffer.concat(pieces).toString()
      const entry = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      }
      seen.push(entry)
      handler(entry, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** What a server sends to a client that has everything up to `after`. */
export function streamText(items: readonly Item[], after: number): string {
  const head = items.reduce((last, item) => ('event' in item ? item.event.seq : last), 0)
  const frames = items.flatMap((item) => {
    if ('delta' in item) return [sseText({ type: 'delta', delta: item.delta })]
    return item.event.seq > after ? [sseText({ type: 'event', event: item.event })] : []
  })
  return frames.join('') + sseText({ type: 'live', head })
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}
