import { isIP } from 'node:net'

/** The variables that name proxies; lower case goes first, as curl has it. */
const names = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'] as const

export const proxyNames: readonly string[] = names.flatMap((name) => [name, name.toUpperCase()])

type Env = Readonly<Record<string, string>>

/** A proxy that a variable names. Name and password stand in `authorization` only, so that no sentence can hold them. */
export interface Proxy {
  /** As an error names it: host and port. */
  shown: string
  /** The variable that named it. */
  variable: string
  isSecure: boolean
  host: string
  port: number
  /** The name that its certificate is for; none for an address. The Host header is the target's. */
  servername: string
  authorization: string | null
}

/** The way to a target. A proxy that cannot be used is a sentence that says why. */
export type Way =
  | { type: 'direct' }
  | { type: 'proxy'; proxy: Proxy }
  | { type: 'wrong'; why: string }

const direct: Way = { type: 'direct' }

/** The way from here to a target, by the variables that curl, git and npm know. Loopback is never behind a proxy. */
export function wayTo(target: URL, env: Env): Way {
  const named = proxyVariable(target.protocol, env)
  if (named === null || isLoopback(hostOf(target)) || isExcepted(target, env)) return direct
  const proxy = readProxy(named)
  if (typeof proxy === 'string') return { type: 'wrong', why: proxy }
  return { type: 'proxy', proxy }
}

interface Named {
  variable: string
  value: string
}

function proxyVariable(protocol: string, env: Env): Named | null {
  const own = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  return named(own, env) ?? named('all_proxy', env)
}

function named(name: string, env: Env): Named | null {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim()
    if (value) return { variable, value }
  }
  return null
}

function readProxy({ variable, value }: Named): Proxy | string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  // Its parser's error would quote the password.
  const url = URL.canParse(full) ? new URL(full) : null
  if (url === null || url.hostname === '')
    return `${variable} is no address of a proxy. Write it like http://proxy.example:3128.`
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:')
    return `${variable} names a proxy that speaks ${protocol.slice(0, -1)}; only http and https proxies are known.`
  const isSecure = protocol === 'https:'
  const host = hostOf(url)
  const port = Number(url.port) || (isSecure ? 443 : 80)
  const isNamed = url.username !== '' || url.password !== ''
  const who = `${decoded(url.username)}:${decoded(url.password)}`
  const authorization = isNamed ? `Basic ${Buffer.from(who).toString('base64')}` : null
  const servername = isIP(host) === 0 ? host : ''
  const shown = `${url.hostname}:${port}`
  return { shown, variable, isSecure, host, port, servername, authorization }
}

/** A password may hold a bare percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|::1|::ffff:7f[\da-f]{2}:[\da-f]+)$/.test(host)
}

function isExcepted(target: URL, env: Env): boolean {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const entries = named('no_proxy', env)?.value ?? ''
  return entries
    .toLowerCase()
    .split(/[\s,]+/)
    .map(readEntry)
    .some((entry) => covers(entry, { host: hostOf(target), port }))
}

interface Entry {
  host: string
  /** Left out: any port. */
  port: string | undefined
}

/** An entry of `NO_PROXY`: `*`, a host with all below it, the same with a dot before it, or either with a port. */
function readEntry(entry: string): Entry {
  const isAddress = /^[^[]*:.*:/.test(entry)
  const [, host = entry, port] = (isAddress ? null : /^(.*?)(?::(\d+))?$/.exec(entry)) ?? []
  return { host: host.replace(/^\*?\.|\.$|[[\]]/g, ''), port }
}

function covers(entry: Entry, { host, port }: { host: string; port: string }): boolean {
  if (entry.host === '' || (entry.port !== undefined && entry.port !== port)) return false
  return entry.host === '*' || host === entry.host || host.endsWith(`.${entry.host}`)
}
