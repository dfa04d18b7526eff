import { protocolVersion } from '../../../protocol/http/routes.ts'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { assertNever } from '../../../base/assert-never.ts'
import { refused } from '../../../base/result.ts'
import { SocketRequest } from '../../../protocol/stream/frame.ts'
import type { HttpBounds } from '../bounds.ts'
import type { AppDeps } from '../deps.ts'
import { parseJson } from '../read-json.ts'
import { endWithRefusal } from '../refuse.ts'
import { explain } from '../route.ts'
import { type Outlet, say, socketOutlet } from './deliver.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import { createTerminalViews, type TerminalViews } from './terminal-views.ts'

const policyViolation = 1008

export function createSocketServer(deps: AppDeps) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: deps.bounds.messageBytes,
    // The library would answer every ping, and keep what the peer does not read.
    autoPong: false,
    // We have none, and the library would agree to whatever is offered.
    handleProtocols: () => false,
    // Each inflates a small message to as much as it likes.
    perMessageDeflate: false,
  })
  server.on('wsClientError', (error: Error, connection: Duplex) => {
    const message = `not a WebSocket handshake: ${error.message}`
    endWithRefusal(connection, { refusal: { code: 'bad_request', message } })
  })
  return {
    /** Takes over a connection that asked for a WebSocket and passed the gate. */
    upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
      server.handleUpgrade(incoming, connection, head, (socket) => attend(deps, socket, connection))
    },
  }
}

/** One tab: nothing is said to it, and nothing done for it, before its ticket. */
function attend(deps: AppDeps, socket: WebSocket, connection: Duplex): void {
  const { bounds } = deps
  const outlet = socketOutlet(socket)
  const subscriptions = createSubscriptions(deps, outlet)
  const terminals = createTerminalViews(deps, outlet)
  let admitted = false
  const late = setTimeout(turnAway, bounds.ticketWaitMs)
  let stopPings = () => {}
  const leave = deps.streams.add(() => {
    subscriptions.endAll('shutdown')
    outlet.finish(bounds.graceMs)
  })

  function turnAway(): void {
    socket.close(policyViolation, 'the first message must be a good ticket')
    outlet.finish(bounds.graceMs)
  }

  function admit(message: Message): void {
    const request = SocketRequest.safeParse(message.ok && message.value)
    const ticket = request.data?.type === 'ticket' ? request.data.ticket : null
    if (ticket === null || !deps.tickets.take(ticket)) return turnAway()
    clearTimeout(late)
    admitted = true
    deps.connections.know(connection)
    stopPings = keepPinging(socket, bounds)
    say(outlet, { type: 'ready', protocol: protocolVersion })
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // A peer that was turned away and talks on is not waited for.
    if (!outlet.isOpen()) return admitted ? undefined : socket.terminate()
    const message = isBinary ? notText : parseJson(data)
    if (!admitted) admit(message)
    else if (outlet.unsent() > bounds.clientQueueBytes) outlet.finish(bounds.graceMs)
    else obey(message, { outlet, subscriptions, terminals })
  })
  const stranger = () => {
    if (!admitted) socket.terminate()
  }
  socket.on('ping', stranger).on('pong', stranger)
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

type Message = ReturnType<typeof parseJson>
const notText: Message = refused({ code: 'bad_request', message: 'messages are JSON, as text' })

interface Tab {
  outlet: Outlet
  subscriptions: Subscriptions
  terminals: TerminalViews
}

function obey(message: Message, { outlet, subscriptions, terminals }: Tab): void {
  const refuse = (message: string) => say(outlet, { type: 'refused', code: 'bad_request', message })
  if (!message.ok) return refuse(message.error.message)
  const request = SocketRequest.safeParse(message.value)
  if (!request.success) return refuse(explain('message', request.error))
  const asked = request.data
  switch (asked.type) {
    case 'ticket':
      return refuse('a ticket was already taken')
    case 'ping':
      return say(outlet, { type: 'pong' })
    case 'subscribe':
      return subscriptions.add(asked.session, asked.after)
    case 'unsubscribe':
      return subscriptions.remove(asked.session)
    case 'view':
      return terminals.view(asked)
    case 'unview':
      return terminals.unview(asked)
    case 'input':
      return terminals.input(asked)
    case 'secret':
      return terminals.secret(asked)
    case 'viewport':
      return terminals.viewport(asked)
    case 'ack':
      return terminals.ack(asked)
    default:
      return assertNever(asked)
  }
}

/**
 * A peer that answers no ping is gone, even if its connection does not know. One that sends pings without end is
 * cut off: answers to them would pile up if it does not read.
 */
function keepPinging(socket: WebSocket, bounds: HttpBounds): () => void {
  let unanswered = 0
  let control = 0
  function isTooMuch(): boolean {
    control += 1
    if (control > bounds.controlFrames) socket.terminate()
    return control > bounds.controlFrames
  }
  socket.on('pong', () => {
    unanswered = 0
    isTooMuch()
  })
  socket.on('ping', (data: Buffer) => {
    if (!isTooMuch()) socket.pong(data)
  })
  const timer = setInterval(() => {
    if (unanswered >= bounds.missedPings) return socket.terminate()
    unanswered += 1
    control = 0
    socket.ping()
  }, bounds.pingMs)
  return () => clearInterval(timer)
}
