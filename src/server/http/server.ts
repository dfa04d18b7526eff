import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ok, type Result } from '../../base/result.ts'
import { listenLocally } from '../access/local-socket.ts'
import { isInsideShell } from '../access/peer.ts'
import { createPasses } from '../access/passes.ts'
import { bearerOf, boundRest, createConnections, gate } from './access.ts'
import { createApp, internalError } from './app.ts'
import { bindPort, type ListenFailure } from './bind-port.ts'
import { type HttpBounds, httpBounds } from './bounds.ts'
import { startUrl, type AppDeps, type HttpDeps } from './deps.ts'
import { safetyHeaders, endWithRefusal, refusalResponse, writeRefusal, type No } from './refuse.ts'
import {
  createOneTimeSecrets,
  isSameSecret,
  startSecretRules,
  ticketRules,
} from '../access/secrets.ts'
import { markPrefix } from '../terminal/start/end-strays.ts'
import { createSocketServer } from './stream/socket.ts'
import { createOpenStreams } from './stream/deliver.ts'

export interface HttpServer {
  readonly port: number
  /** An address that logs one browser in. */
  startUrl(): string
  /** Since when nobody is connected, by `now`; null while someone is. */
  idleSince(): number | null
  /** Says goodbye to every stream and lets answers under way finish. */
  close(): Promise<void>
}

/** 0 is any. A remembered port gives way to any free one; a demanded one does not. */
export interface WantedPlace {
  port: number
  demanded: boolean
  /** The folder for the socket of the owner's programs; without one there is none. */
  home?: string
}

export async function listen(
  deps: HttpDeps,
  wanted: WantedPlace,
): Promise<Result<HttpServer, ListenFailure>> {
  let port = 0
  const { now = () => performance.now(), token } = deps
  const passes = createPasses({ ...deps, now, port: () => port })
  const local = new WeakSet<Duplex>()
  const bounds = { ...httpBounds, ...deps.bounds }
  const connections = createConnections(bounds.connections)
  const { home } = wanted
  const isOurs = (mark: string) => home !== undefined && mark.startsWith(markPrefix(home))
  const app: AppDeps = {
    ...deps,
    now,
    bounds,
    connections,
    startSecrets: createOneTimeSecrets({ ...startSecretRules, now }),
    tickets: createOneTimeSecrets({ ...ticketRules, now }),
    streams: createOpenStreams(),
    passes,
    admits(incoming) {
      const given = bearerOf(incoming)
      const isAdmitted =
        given === undefined
          ? local.has(incoming.socket)
          : isSameSecret(given, token.current()) || passes.isGood(given)
      if (isAdmitted) connections.know(incoming.socket)
      return isAdmitted
    },
    mayApprove: async ({ socket }) => !(await isInsideShell(socket, { isOurs })),
    port: () => port,
  }
  const { server, localServer, idleSince, close } = createNodeServer(app)
  localServer.on('connection', (connection) => local.add(connection))
  const first = await bindPort(server, wanted.port)
  const bound = first.ok || wanted.demanded || wanted.port === 0 ? first : await bindPort(server, 0)
  if (!bound.ok) return bound
  port = bound.value
  const newUrl = () => startUrl(app, app.startSecrets.issue())
  const leave = wanted.home === undefined ? null : await listenLocally(localServer, wanted.home)
  return ok({
    port,
    startUrl: newUrl,
    idleSince,
    async close() {
      leave?.()
      await close()
    },
  })
}

/** Node's server in front of the app: framing, the gate, upgrades, and its end. */
function createNodeServer(deps: AppDeps) {
  const { bounds, streams, connections } = deps
  const sockets = createSocketServer(deps)
  const toApp = appListener(deps)
  let underWay = 0
  let lastEnd = deps.now()
  let quiet = () => {}
  const answers = new WeakMap<Duplex, ServerResponse>()
  const refuseBroken = createBrokenRefusal(answers)

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
    connections.heard(incoming.socket)
    boundRest(incoming, outgoing, bounds)
    answers.set(incoming.socket, outgoing)
    // Set on the raw response, so that no answer can be without them.
    for (const [name, value] of Object.entries(safetyHeaders)) outgoing.setHeader(name, value)
    const no = gate(incoming, deps.port())
    if (no !== null) writeRefusal(outgoing, no)
    else void toApp(incoming, outgoing)
  }

  function upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    count(connection)
    connections.heard(connection)
    connection.on('error', () => connection.destroy())
    const no = gate(incoming, deps.port()) ?? notTheSocket(incoming)
    if (no !== null) endWithRefusal(connection, no)
    else sockets.upgrade(incoming, connection, head)
  }

  function makeServer(): Server {
    const server = createServer(framingOf(bounds), attend)
    server.on('connection', (connection) => connections.add(connection))
    // Node leaves out what is beyond, without a word: one more is enough to see that there are too many.
    server.maxHeadersCount = bounds.headers + 1
    // Asked before a body is sent: the answer is given where the body would be read.
    server.on('checkContinue', attend)
    server.on('checkExpectation', attend)
    server.on('upgrade', upgrade)
    // Without a listener it is not even refused.
    server.on('connect', upgrade)
    server.on('clientError', (error, connection) => refuseBroken(connection, error))
    return server
  }

  const server = makeServer()
  const localServer = makeServer()
  const both = [server, localServer]
  return {
    server,
    localServer,
    idleSince: () => (underWay > 0 ? null : lastEnd),
    async close(): Promise<void> {
      const closed = both.map((each) => new Promise<void>((resolve) => each.close(() => resolve())))
      // A connection that has asked nothing yet would otherwise be waited for.
      quiet = () => both.forEach((each) => each.closeAllConnections())
      const cut = setTimeout(quiet, bounds.graceMs)
      streams.endAll()
      if (underWay === 0) quiet()
      await Promise.all(closed)
      clearTimeout(cut)
    },
  }
}

function appListener(deps: AppDeps) {
  return getRequestListener(createApp(deps).fetch, {
    // The process may be someone else's program: its Request and Response stay its own.
    overrideGlobalObjects: false,
    // It would read 64 MiB of a body that was refused.
    autoCleanupIncoming: false,
    errorHandler: (error) => unroutable(deps, error),
  })
}

function framingOf(bounds: HttpBounds): ServerOptions {
  return {
    maxHeaderSize: bounds.headerBytes,
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    // No rarer than what it looks for.
    connectionsCheckingInterval: Math.min(5_000, bounds.headersMs),
    // Ours to answer, with a body that says what is missing.
    requireHostHeader: false,
  }
}

/** Before or outside the app: an address it cannot read, or a fault of the adapter. */
function unroutable(deps: AppDeps, error: unknown): Response {
  if (error instanceof RequestError)
    return refusalResponse({ refusal: { code: 'bad_request', message: 'not a valid address' } })
  deps.diagnostics(`request failed: ${String(error)}`)
  return internalError()
}

function notTheSocket({ url = '', headers, method }: IncomingMessage): No | null {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET'
  if (isWebSocket && url.split('?', 1)[0] === '/v1/socket') return null
  const message = 'only /v1/socket can be upgraded, and only to a WebSocket'
  return { refusal: { code: 'bad_request', message } }
}

/** Refuses what the parser could not make a request of, when its turn has come. */
function createBrokenRefusal(answers: WeakMap<Duplex, ServerResponse>) {
  const doomed = new WeakSet<Duplex>()
  return (connection: Duplex, error: Error): void => {
    const answer = answers.get(connection)
    const isOpen = answer !== undefined && !answer.writableFinished
    // In the middle of an answer, another one would be read as part of it.
    if (isOpen && answer.headersSent) connection.destroy()
    else if (isOpen && answer.req.complete && connection.writable) {
      // The request before it was whole: what came of it is told first.
      if (doomed.has(connection)) return
      doomed.add(connection)
      answer.once('finish', () => endWithRefusal(connection, broken(error)))
    } else endWithRefusal(connection, broken(error))
  }
}

/** The refusal of what is no request. The parser's own words may quote the request: not repeated. */
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
