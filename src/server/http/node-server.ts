import { getRequestListener, RequestError } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { gate } from './access.ts'
import { createApp, internalError } from './app.ts'
import type { AppDeps } from './deps.ts'
import { safetyHeaders } from './headers.ts'
import { endWithRefusal, refusalResponse, writeRefusal, type No } from './refuse.ts'
import { createSocketServer } from './socket.ts'

export interface NodeServer {
  server: Server
  idleSince: () => number | null
  close: () => Promise<void>
}

/** Node's server in front of the app: framing, the gate, upgrades, and its end. */
export function createNodeServer(deps: AppDeps): NodeServer {
  const { bounds, streams } = deps
  const sockets = createSocketServer(deps)
  const toApp = getRequestListener(createApp(deps).fetch, {
    // The process may be someone else's program: its Request and Response stay its own.
    overrideGlobalObjects: false,
    errorHandler: (error) => unroutable(deps, error),
  })
  let underWay = 0
  let lastEnd = deps.now()
  let quiet = () => {}
  const answers = new WeakMap<Duplex, ServerResponse>()

  /** Streams and sockets count for as long as they are open. */
  function count(open: { once(event: 'close', listener: () => void): unknown }): void {
    underWay += 1
    open.once('close', () => {
      underWay -= 1
      lastEnd = deps.now()
      if (underWay === 0) quiet()
    })
  }

  function attend(incoming: IncomingMessage, outgoing: ServerResponse): void {
    count(outgoing)
    answers.set(incoming.socket, outgoing)
    // Set on the raw response, so that no answer can be without them.
    for (const [name, value] of Object.entries(safetyHeaders)) outgoing.setHeader(name, value)
    const no = gate(incoming, deps.port())
    if (no !== null) writeRefusal(outgoing, no)
    else void toApp(incoming, outgoing)
  }

  function upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    count(connection)
    connection.on('error', () => connection.destroy())
    const no = gate(incoming, deps.port()) ?? notTheSocket(incoming)
    if (no !== null) endWithRefusal(connection, no)
    else sockets.upgrade(incoming, connection, head)
  }

  const server = createServer(
    {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: 5_000,
      // Ours to answer, with a body that says what is missing.
      requireHostHeader: false,
    },
    attend,
  )
  server.maxConnections = bounds.connections
  // Asked before a body is sent: the answer is given where the body would be read.
  server.on('checkContinue', attend)
  server.on('checkExpectation', attend)
  server.on('upgrade', upgrade)
  server.on('clientError', (error, connection) => {
    // In the middle of an answer, another one would be read as part of it.
    const answer = answers.get(connection)
    if (answer?.headersSent && !answer.writableFinished) connection.destroy()
    else endWithRefusal(connection, broken(error))
  })

  return {
    server,
    idleSince: () => (underWay > 0 ? null : lastEnd),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A connection that has asked nothing yet would otherwise be waited for.
      quiet = () => server.closeAllConnections()
      const cut = setTimeout(quiet, bounds.graceMs)
      streams.endAll()
      if (underWay === 0) quiet()
      await closed
      clearTimeout(cut)
    },
  }
}

/** Before or outside the app: an address it cannot read, or a fault of the adapter. */
function unroutable(deps: AppDeps, error: unknown): Response {
  if (error instanceof RequestError) {
    return refusalResponse({ refusal: { code: 'bad_request', message: 'not a valid address' } })
  }
  deps.diagnostics(`request failed: ${String(error)}`)
  return internalError()
}

function notTheSocket({ url = '', headers, method }: IncomingMessage): No | null {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET'
  if (isWebSocket && url.split('?', 1)[0] === '/v1/socket') return null
  const message = 'only /v1/socket can be upgraded, and only to a WebSocket'
  return { refusal: { code: 'bad_request', message } }
}

/** What the parser could not make a request of. Its own words may quote the request: not repeated. */
function broken(error: NodeJS.ErrnoException): No {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const refusal = { code: 'payload_too_large', message: 'the headers are too large' } as const
    return { refusal, status: 431 }
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const refusal = { code: 'bad_request', message: 'the request took too long to arrive' } as const
    return { refusal, status: 408 }
  }
  return { refusal: { code: 'bad_request', message: 'not a valid HTTP request' } }
}
