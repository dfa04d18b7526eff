import { Agent as PlainAgent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import { ModelError } from '../model.ts'
import { hostOf, type Proxy, wayTo } from './proxy.ts'
import { openTunnel, tunnelMs } from './tunnel.ts'

/** The connection that a request to a target takes, and how it is written there. */
export interface Route {
  isSecure: boolean
  agent: PlainAgent
  host: string
  port: number | undefined
  /** A proxy that passes plain requests on wants the whole address. */
  path: string
  headers: Readonly<Record<string, string>>
  /** The name that the other end's certificate is for; left out: the host. */
  servername?: string
}

/** Connections to providers, kept from one step to the next. */
export interface Agents {
  /** Throws a ModelError where the environment names a proxy that cannot be used. */
  route(target: URL): Route
}

interface AgentsOptions {
  /** The variables that name proxies. */
  env?: Readonly<Record<string, string>>
  tunnelMs?: number
  /** Certificates that are trusted instead of those that Node trusts. */
  ca?: string
}

/**
 * A step comes soon after the last, so its connection is kept, and keeps no process alive. One that was idle for longer
 * may be closed at the other end already, and a request that is written to it is lost.
 */
const kept: AgentOptions = { keepAlive: true, timeout: 30_000 }

export function createAgents({ env = {}, ca, ...options }: AgentsOptions = {}): Agents {
  const trusted = ca === undefined ? {} : { ca }
  const plain = new PlainAgent(kept)
  const direct = new SecureAgent({ ...kept, ...trusted })
  const tunnels = new Map<string, SecureAgent>()

  function tunnelled(proxy: Proxy): SecureAgent {
    const name = `${proxy.variable} ${proxy.shown}`
    const known = tunnels.get(name) ?? tunnelAgent(proxy)
    tunnels.set(name, known)
    return known
  }

  function tunnelAgent(proxy: Proxy): SecureAgent {
    const ms = options.tunnelMs ?? tunnelMs
    return Object.assign(new SecureAgent({ ...kept, ...trusted }), {
      createConnection(to: TunnelTarget, done: Connected): void {
        const target = { host: to.host, port: Number(to.port) }
        openTunnel(proxy, target, { ms, ca }).then(
          (socket) =>
            done(null, secure({ ...trusted, socket, host: to.host, servername: to.servername })),
          (error: unknown) => done(error),
        )
      },
    })
  }

  return {
    route(target) {
      const isSecure = target.protocol === 'https:'
      const way = wayTo(target, env)
      if (way.type === 'wrong') throw new ModelError(way.why, { code: 'model_config' })
      const host = hostOf(target)
      const path = `${target.pathname}${target.search}`
      const port = Number(target.port) || undefined
      const straight = { isSecure, host, port, path, headers: {} }
      if (way.type === 'direct') return { ...straight, agent: isSecure ? direct : plain }
      const { proxy } = way
      if (isSecure) return { ...straight, agent: tunnelled(proxy) }
      const { authorization } = proxy
      return {
        isSecure: proxy.isSecure,
        agent: proxy.isSecure ? direct : plain,
        host: proxy.host,
        port: proxy.port,
        path: `${target.origin}${path}`,
        servername: proxy.servername,
        headers: {
          host: target.host,
          ...(authorization !== null && { 'proxy-authorization': authorization }),
        },
      }
    },
  }
}

interface TunnelTarget {
  host: string
  port: number | string
  servername?: string
}

type Connected = (error: unknown, socket?: Socket) => void
