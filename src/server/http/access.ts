import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { By } from '../../protocol/events/event-base.ts'
import { clientHeader } from '../../protocol/http/routes.ts'
import { type HttpBounds, httpBounds } from './bounds.ts'
import type { No } from './refuse.ts'

/**
 * Lets in our own names, so that a rebound name is refused, and our own pages, port included, so that
 * another local web app is refused too. Null lets the request in; it proves no identity.
 */
export function gate(incoming: IncomingMessage, port: number): No | null {
  const { host = [], origin = [], 'sec-fetch-site': site = [] } = incoming.headersDistinct
  const no = tooMuch(incoming)
  if (no !== null) return no
  if (host.length !== 1) return bad('there must be exactly one Host header')
  if (!hostNames.some((name) => host[0]?.toLowerCase() === `${name}:${port}`))
    return forbidden('this Host is not served here; use 127.0.0.1 and the port')
  const ownPage = (from: string) => originNames.some((name) => from === `http://${name}:${port}`)
  if (origin.length > 1 || !origin.every(ownPage))
    return forbidden('pages of another origin have no access')
  if (!site.every((from) => from === 'same-origin' || from === 'none')) {
    return forbidden('requests from another site have no access')
  }
  return null
}

/** The request line and headers by their size. */
function tooMuch({ url = '', rawHeaders }: IncomingMessage): No | null {
  if (!url.startsWith('/')) return bad('the request target must be a path')
  if (url.length > httpBounds.urlBytes)
    return { ...bad(`the address is longer than ${httpBounds.urlBytes} bytes`), status: 414 }
  // Names and values, one after the other.
  if (rawHeaders.length <= 2 * httpBounds.headers) return null
  const message = `there are more than ${httpBounds.headers} headers`
  return { refusal: { code: 'payload_too_large', message }, status: 431 }
}

const hostNames = ['127.0.0.1', 'localhost', '[::1]']
const originNames = ['127.0.0.1', 'localhost']

function bad(message: string): No {
  return { refusal: { code: 'bad_request', message } }
}

function forbidden(message: string): No {
  return { refusal: { code: 'forbidden', message } }
}

/** Only the header counts: a cookie is shared between ports, and an address ends up in histories. */
export function bearerOf(incoming: IncomingMessage): string | undefined {
  const values = incoming.headersDistinct['authorization'] ?? []
  return values.length === 1 ? /^Bearer +(\S+)$/i.exec(values[0] ?? '')?.[1] : undefined
}

/** The name a client gives itself is shown to people: printable, short, and only a name. */
export function callerOf(incoming: IncomingMessage): By {
  const [raw = ''] = incoming.headersDistinct[clientHeader] ?? []
  const client = raw
    .replaceAll(/[^\x20-\x7e\xa1-\xff]/g, '')
    .trim()
    .slice(0, 100)
  return client === '' ? { kind: 'user' } : { kind: 'user', client }
}

export type Connections = ReturnType<typeof createConnections>

/**
 * Every connection there is. When there is no room, a stranger leaves for the newcomer: of those that have shown neither
 * token nor ticket, the one that has been silent for longest.
 */
export function createConnections(most: number) {
  /** In the order in which they were last heard of. */
  const strangers = new Set<Duplex>()
  const known = new Set<Duplex>()

  function forget(connection: Duplex): void {
    strangers.delete(connection)
    known.delete(connection)
  }

  return {
    add(connection: Duplex): void {
      strangers.add(connection)
      connection.once('close', () => forget(connection))
      if (strangers.size + known.size <= most) return
      // The newcomer itself, if everybody else is known.
      const [silent = connection] = strangers
      forget(silent)
      silent.destroy()
    },
    /** A request has come. */
    heard(connection: Duplex): void {
      if (strangers.delete(connection)) strangers.add(connection)
    },
    /** It belongs to somebody who may be here. */
    know(connection: Duplex): void {
      if (strangers.delete(connection)) known.add(connection)
    },
  }
}

type RestBounds = Pick<HttpBounds, 'restBytes' | 'restMs'>

/** Sees to it that the body of a request that is answered already is not read without end. */
export function boundRest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bounds: RestBounds,
): void {
  // Any later, and Node throws the bytes away without telling anybody.
  outgoing.once('prefinish', () => {
    if (!incoming.complete) readOn(incoming, bounds)
  })
}

/**
 * Reads a little of a body whose request is answered already: a client that is still sending it would else not
 * hear the answer. One that sends on and on is cut off.
 */
function readOn(incoming: IncomingMessage, { restBytes, restMs }: RestBounds): void {
  const { socket } = incoming
  let size = 0
  const cut = () => void socket.destroy()
  const late = setTimeout(cut, restMs)
  const settle = () => clearTimeout(late)
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > restBytes) cut()
  })
  incoming.once('end', settle).once('close', settle)
}
