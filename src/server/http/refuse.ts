import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody, Refusal } from '../../protocol/refusal.ts'
import { safetyHeaders } from './headers.ts'
import { statusOf } from './status.ts'

/** A refusal on its way out. `status` is for what HTTP tells finer than our codes do. */
export interface No {
  refusal: Refusal
  status?: number
  headers?: Readonly<Record<string, string>>
}

interface Rendered {
  status: number
  headers: Record<string, string>
  body: string
}

function render({ refusal, status = statusOf(refusal.code), headers }: No): Rendered {
  const body: ErrorBody = { error: refusal }
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

export function refusalResponse(no: No): Response {
  const { status, headers, body } = render(no)
  return new Response(body, { status, headers })
}

export function writeRefusal(outgoing: ServerResponse, no: No): void {
  const { status, headers, body } = render(no)
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** For a connection that has no response object: a broken request, or an upgrade. It ends here. */
export function endWithRefusal(socket: Duplex, no: No): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = render(no)
  const all: Record<string, string | number> = {
    ...safetyHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
  // The peer may never close its half; what it still sends is not read.
  socket.once('finish', () => socket.destroy())
}
