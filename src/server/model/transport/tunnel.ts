import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { ModelError } from '../model.ts'
import type { Proxy } from './proxy.ts'

/** A host behind a proxy, as CONNECT names it. */
interface Target {
  host: string
  port: number
}

/** A proxy answers at once or has lost us; the model's own silence is measured apart. */
export const tunnelMs = 30_000

interface TunnelOptions {
  /** The proxy answers within this time, or is given up. */
  ms: number
  /** Certificates that are trusted instead of those that Node trusts. */
  ca?: string | undefined
}

/** A connection through a proxy to a target, with nothing sent on it yet. */
export function openTunnel(
  proxy: Proxy,
  { host, port }: Target,
  { ms, ca }: TunnelOptions,
): Promise<Socket> {
  const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const options = {
    host: proxy.host,
    port: proxy.port,
    method: 'CONNECT',
    path: place,
    agent: false,
    servername: proxy.servername,
    headers: {
      host: place,
      ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }),
    },
    ...(ca !== undefined && { ca }),
  }
  return new Promise((resolve, reject) => {
    const asking = proxy.isSecure ? secureRequest(options) : plainRequest(options)
    const giveUp = setTimeout(() => {
      reject(unreachable(`${at(proxy)} did not answer within ${ms / 1_000} s. ${isItRight(proxy)}`))
      asking.destroy()
    }, ms)
    asking.once('connect', ({ statusCode: status = 0 }: IncomingMessage, socket: Socket) => {
      clearTimeout(giveUp)
      if (status >= 200 && status < 300) return resolve(socket)
      socket.destroy()
      reject(refusal(proxy, place, status))
    })
    asking.once('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(giveUp)
      reject(unreachable(`${failure(proxy, cause)} ${isItRight(proxy)}`, cause))
    })
    asking.end()
  })
}

function at({ shown }: Proxy): string {
  return `The proxy at ${shown}`
}

function isItRight({ variable }: Proxy): string {
  return `Is it running, and is ${variable} right?`
}

function unreachable(message: string, cause?: unknown): ModelError {
  return new ModelError(message, { code: 'model_unreachable', transient: true, cause })
}

function failure(proxy: Proxy, { code = '' }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return `${at(proxy)} answered with something that is not HTTP.`
  if (/CERT|UNABLE_TO_/.test(code))
    return `${at(proxy)} has a certificate that is not trusted (${code}).`
  return code === 'ECONNRESET' || code === 'EPIPE'
    ? `${at(proxy)} closed the connection before it answered.`
    : `${at(proxy)} cannot be reached.`
}

/** A tunnel that the proxy did not open: who has to do something, and what. */
function refusal(proxy: Proxy, place: string, status: number): ModelError {
  const { variable, authorization } = proxy
  if (status === 407) {
    const message =
      authorization === null
        ? `${at(proxy)} wants a name and a password. Write them into ${variable}, like http://name:password@host:port.`
        : `${at(proxy)} does not accept the name and password in ${variable}.`
    return new ModelError(message, { code: 'model_config' })
  }
  const said = `${at(proxy)} answered ${status}`
  if (status >= 500) return unreachable(`${said}: it cannot reach ${place}. Is that address right?`)
  const message = `${said}: it does not let ${place} through. If that can be reached without it, add the host to NO_PROXY.`
  return new ModelError(message, { code: 'model_config' })
}
