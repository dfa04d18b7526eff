import type { Access } from './access.ts'
import { ErrorBody } from '../../protocol/http/refusal.ts'
import type { Route } from '../../protocol/http/route.ts'
import { clientHeader } from '../../protocol/http/routes.ts'
import { ClientError } from './client-error.ts'

/** A server's address and how it is reached. */
export interface Connection {
  url: string
  access: Access
  fetch: typeof globalThis.fetch
  /** The way for requests that approve something, if it is another one: the server sees there who asks. */
  approving?: Pick<Connection, 'access' | 'fetch'> | undefined
  /** The client's own name; shown to people as who did something. */
  name?: string
}

export interface Input {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/** One request, up to an answer with the status that the route promises. */
export async function request(usual: Connection, route: Route, input: Input): Promise<Response> {
  const isApproving = route.approves?.(input.body) === true
  const connection = isApproving ? { ...usual, ...usual.approving } : usual
  const first = await reach(connection, route, input)
  // A pass ends with its server, and the next one may be there already: nothing has happened yet.
  const isStale = first.status === 401 && connection.access.doubt()
  const response = isStale ? await reach(connection, route, input) : first
  if (response.status === (route.status ?? 200)) return response
  throw await refusal(response)
}

async function reach(connection: Connection, route: Route, input: Input): Promise<Response> {
  const { access } = connection
  const entry = route.access !== 'open' ? await access.headers() : {}
  const headers: Record<string, string> = { ...input.headers, ...entry }
  if (connection.name !== undefined) headers[clientHeader] = connection.name
  const init: RequestInit = { method: route.method, headers, redirect: 'error' }
  if (input.signal) init.signal = input.signal
  if (route.body) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(input.body ?? {})
  }
  try {
    return await connection.fetch(addressOf(connection.url, route, input), init)
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    access.doubt()
    throw new ClientError(
      `no answer from ${connection.url}: is the server running?`,
      { kind: 'unreachable' },
      { cause },
    )
  }
}

function addressOf(base: string, route: Route, { params = {}, query = {} }: Input): URL {
  const path = route.path.replaceAll(/:([a-z]+)/gi, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url
}

async function refusal(response: Response): Promise<ClientError> {
  const { status } = response
  const body = ErrorBody.safeParse(await response.json().catch(() => null))
  return body.success
    ? new ClientError(body.data.error.message, {
        kind: 'refused',
        status,
        refusal: body.data.error,
      })
    : new ClientError(
        `the server answered ${status} without a reason: is it a Tandem server of this version?`,
        { kind: 'garbled', status },
      )
}
