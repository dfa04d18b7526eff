import { WebSocketServer, type WebSocket } from 'ws'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { assertNever } from '../../protocol/assert-never.ts'
import { SocketRequest, type SocketFrame } from '../../protocol/frame.ts'
import type { AppDeps } from './deps.ts'
import { socketOutlet, type Outlet } from './outlet.ts'
import { endWithRefusal } from './refuse.ts'
import { explain } from './route.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import { createTerminalViews, type TerminalViews } from './terminal-views.ts'

export interface SocketServer {
  /** Takes over a connection that asked for a WebSocket and passed the gate. */
  upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void
}

const policyViolation = 1008

export function createSocketServer(deps: AppDeps): SocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: deps.bounds.messageBytes,
  })
  server.on('wsClientError', (error: Error, connection: Duplex) => {
    const message = `not a WebSocket handshake: ${error.message}`
    endWithRefusal(connection, { refusal: { code: 'bad_request', message } })
  })
  return {
    upgrade(incoming, connection, head) {
      server.handleUpgrade(incoming, connection, head, (socket) => attend(deps, socket))
    },
  }
}

/** One tab: nothing is said to it, and nothing done for it, before its ticket. */
function attend(deps: AppDeps, socket: WebSocket): void {
  const { bounds } = deps
  const outlet = socketOutlet(socket)
  const subscriptions = createSubscriptions(deps, outlet)
  const terminals = createTerminalViews(deps, outlet)
  let admitted = false
  const late = setTimeout(turnAway, bounds.ticketWaitMs)
  const stopPings = keepPinging(socket, bounds)
  const leave = deps.streams.add(() => {
    subscriptions.endAll('shutdown')
    outlet.finish(bounds.graceMs)
  })

  function turnAway(): void {
    socket.close(policyViolation, 'the first message must be a good ticket')
    outlet.finish(bounds.graceMs)
  }

  function admit(message: unknown): void {
    const request = SocketRequest.safeParse(message)
    const ticket = request.data?.type === 'ticket' ? request.data.ticket : null
    if (ticket === null || !deps.tickets.take(ticket)) return turnAway()
    clearTimeout(late)
    admitted = true
    say(outlet, { type: 'ready' })
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const message = isBinary ? undefined : fromJson(data)
    if (!outlet.isOpen()) return
    if (!admitted) admit(message)
    else if (outlet.unsent() > bounds.clientQueueBytes) outlet.finish(bounds.graceMs)
    else obey(message, { outlet, subscriptions, terminals })
  })
  // A broken frame closes the socket by itself; without a listener it would end the server.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(late)
    stopPings()
    leave()
    subscriptions.clear()
    terminals.clear()
  })
}

function obey(
  message: unknown,
  {
    outlet,
    subscriptions,
    terminals,
  }: { outlet: Outlet; subscriptions: Subscriptions; terminals: TerminalViews },
): void {
  const request = SocketRequest.safeParse(message)
  if (!request.success) {
    say(outlet, {
      type: 'refused',
      code: 'bad_request',
      message: explain('message', request.error),
    })
    return
  }
  const asked = request.data
  switch (asked.type) {
    case 'ticket':
      say(outlet, { type: 'refused', code: 'bad_request', message: 'a ticket was already taken' })
      break
    case 'ping':
      say(outlet, { type: 'pong' })
      break
    case 'subscribe':
      subscriptions.add(asked.session, asked.after)
      break
    case 'unsubscribe':
      subscriptions.remove(asked.session)
      break
    case 'view':
      return terminals.view(asked)
    case 'unview':
      return terminals.unview(asked)
    case 'input':
      return terminals.input(asked)
    case 'viewport':
      return terminals.viewport(asked)
    case 'ack':
      return terminals.ack(asked)
    default:
      return assertNever(asked)
  }
}

/** A peer that answers no ping is gone, even if its connection does not know. */
function keepPinging(
  socket: WebSocket,
  { pingMs, missedPings }: { pingMs: number; missedPings: number },
): () => void {
  let unanswered = 0
  socket.on('pong', () => {
    unanswered = 0
  })
  const timer = setInterval(() => {
    if (unanswered >= missedPings) return socket.terminate()
    unanswered += 1
    socket.ping()
  }, pingMs)
  return () => clearInterval(timer)
}

function say(outlet: Outlet, frame: SocketFrame): void {
  outlet.push(JSON.stringify(frame))
}

function fromJson(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'))
  } catch {
    return undefined
  }
}
