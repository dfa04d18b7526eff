import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { By } from '../../protocol/by.ts'
import { clientHeader } from '../../protocol/routes.ts'
import { httpBounds } from './bounds.ts'
import type { No } from './refuse.ts'

/**
 * Who may knock: our own names, so that a rebound name is refused, and our own pages, port included,
 * so that another local web app is refused too. Null lets the request in; it proves no identity.
 */
export function gate(incoming: IncomingMessage, port: number): No | null {
  const { host = [], origin = [], 'sec-fetch-site': site = [] } = incoming.headersDistinct
  const url = incoming.url ?? ''
  if (!url.startsWith('/')) return bad('the request target must be a path')
  if (url.length > httpBounds.urlBytes) {
    return { ...bad(`the address is longer than ${httpBounds.urlBytes} bytes`), status: 414 }
  }
  if (host.length !== 1) return bad('there must be exactly one Host header')
  if (!hostNames.some((name) => host[0] === `${name}:${port}`)) {
    return forbidden('this Host is not served here; use 127.0.0.1 and the port')
  }
  const ownPage = (from: string) => originNames.some((name) => from === `http://${name}:${port}`)
  if (origin.length > 1 || !origin.every(ownPage)) {
    return forbidden('pages of another origin have no access')
  }
  if (!site.every((from) => from === 'same-origin' || from === 'none')) {
    return forbidden('requests from another site have no access')
  }
  return null
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
export function hasToken(incoming: IncomingMessage, token: string): boolean {
  const values = incoming.headersDistinct['authorization'] ?? []
  const given = values.length === 1 ? /^Bearer +(\S+)$/i.exec(values[0] ?? '')?.[1] : undefined
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

/** Equal lengths, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
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
