import { ErrorBody } from '../protocol/refusal.ts'
import type { Route } from '../protocol/route.ts'
import { clientHeader } from '../protocol/routes.ts'
import { ClientError } from './client-error.ts'

/** Where a server is and how it is reached. */
export interface Connection {
  url: string
  token: string
  fetch: typeof globalThis.fetch
  /** What this client calls itself; shown to people as who did something. */
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
export async function request(
  connection: Connection,
  route: Route,
  input: Input,
): Promise<Response> {
  const response = await reach(connection, route, input)
  if (response.status === route.status) return response
  throw await refusal(response)
}

async function reach(connection: Connection, route: Route, input: Input): Promise<Response> {
  const headers: Record<string, string> = { ...input.headers }
  if (route.access === 'token') headers['authorization'] = `Bearer ${connection.token}`
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
