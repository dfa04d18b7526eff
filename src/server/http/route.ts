import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { By } from '../../protocol/events/event-base.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { bodyBytesOf, OfSession, type Route } from '../../protocol/http/route.ts'
import { callerOf } from './access.ts'
import type { AppDeps } from './deps.ts'
import { readJson } from './read-json.ts'
import { refusalResponse } from './refuse.ts'
import type { Hosts, SessionHost } from '../session/host.ts'

export type Env = { Bindings: HttpBindings }
export type App = Hono<Env>
type Serve = (c: Context<Env>) => Response | Promise<Response>

export type Router = ReturnType<typeof createRouter>

export function createRouter(app: App) {
  const allowed = new Map<string, string[]>()

  function mount(method: string, path: string, serve: Serve): void {
    allowed.set(path, [...(allowed.get(path) ?? []), method])
    // Hono answers HEAD as a GET, which for an event stream would be one.
    app.on(method, path, (c) => (c.req.method === 'HEAD' ? wrongMethod(path) : serve(c)))
  }

  function wrongMethod(path: string): Response {
    const allow = (allowed.get(path) ?? []).join(', ')
    const refusal = { code: 'method_not_allowed', message: `use ${allow}` } as const
    return refusalResponse({ refusal, headers: { allow } })
  }

  return {
    mount,
    /** Mounts a handler behind the token, unless its route is open to all. */
    route(
      { route, serve }: Bound,
      { admits, bounds, mayApprove }: Pick<AppDeps, 'admits' | 'bounds' | 'mayApprove'>,
    ): void {
      const bodyBytes = Math.min(bounds.bodyBytes, bodyBytesOf(route))
      mount(route.method, route.path, (c) => {
        if (route.access !== 'open' && !admits(c.env.incoming)) return noToken()
        return serve({
          http: c.env,
          params: c.req.param(),
          query: c.req.queries(),
          bodyBytes,
          mayApprove,
        })
      })
    },
    /** Comes last: every other method of a path that is mounted is told which there are. */
    refuseOtherMethods(): void {
      for (const path of allowed.keys()) app.all(path, () => wrongMethod(path))
    },
  }
}

function noToken(): Response {
  const message =
    'send the token as `Authorization: Bearer …`; it is in the file `token` of the data folder'
  return refusalResponse({ refusal: { code: 'unauthorized', message } })
}

/** A request that has come in: where it goes and what it carries, nothing checked yet. */
interface Arrival {
  http: HttpBindings
  params: Record<string, string>
  query: Record<string, string[]>
  bodyBytes: number
  mayApprove: AppDeps['mayApprove']
}

type Parsed<R, K extends string> = R extends { [P in K]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

/** A request whose parts have the types of its route. */
export interface Call<R> {
  params: Parsed<R, 'params'>
  query: Parsed<R, 'query'>
  body: Parsed<R, 'body'>
  by: By
  http: HttpBindings
}

/** A handler's answer; `response` is for streams and documents. */
export type Reply<T> = Result<T, Refusal> | { response: Response }
type ReplyOf<R> = R extends { answer: z.ZodType } ? Reply<Parsed<R, 'answer'>> : Reply<never>

export interface Bound {
  route: Route
  serve: (arrival: Arrival) => Promise<Response>
}

type Parts = Record<'params' | 'query' | 'body', unknown>
type AnyCall = Parts & Pick<Call<Route>, 'by' | 'http'>

/** Ties a handler to its route: it only ever sees what the route's schemas let through. */
export function on<R extends Route>(
  route: R,
  handler: (call: Call<R>) => Promise<ReplyOf<R>>,
): Bound
// The schemas are looked up by the route, which the compiler cannot follow; the signature above can.
export function on(route: Route, handler: (call: AnyCall) => Promise<Reply<unknown>>): Bound {
  return bind(route, handler)
}

/** The same below a session, which is opened for it. */
export function onSession<R extends Route>(
  hosts: Pick<Hosts, 'open'>,
  route: R,
  handler: (host: SessionHost, call: Call<R>) => Promise<ReplyOf<R>>,
): Bound
export function onSession(
  hosts: Pick<Hosts, 'open'>,
  route: Route,
  handler: (host: SessionHost, call: AnyCall) => Promise<Reply<unknown>>,
): Bound {
  return bind(route, async (call) => {
    const found = await hosts.open(OfSession.parse(call.params).id)
    return found.ok ? handler(found.value, call) : found
  })
}

function bind(route: Route, handler: (call: AnyCall) => Promise<Reply<unknown>>): Bound {
  return {
    route,
    async serve(arrival) {
      const parts = await parseParts(route, arrival)
      if (!parts.ok) return refusalResponse({ refusal: parts.error })
      const { http, mayApprove } = arrival
      if (route.approves?.(parts.value.body) === true && !(await mayApprove(http.incoming)))
        return refusalResponse({ refusal: notAPerson })
      const reply = await handler({ ...parts.value, by: callerOf(http.incoming), http })
      if ('response' in reply) return reply.response
      if (!reply.ok) return refusalResponse({ refusal: reply.error })
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return new Response(JSON.stringify(reply.value), { status: route.status ?? 200, headers })
    },
  }
}

const notAPerson: Refusal = {
  code: 'forbidden',
  message:
    'only a person can do this: the request comes from a program in a shell of Tandem, or from one that cannot be told. Do it in the page, or from a terminal of your own',
}

/** Nothing is let through unread where nothing is expected. */
const noBody = z.strictObject({})

async function parseParts(route: Route, arrival: Arrival): Promise<Result<Parts, Refusal>> {
  const params = check(route.params, 'path', arrival.params)
  // An id that cannot exist is an id that does not exist.
  if (!params.ok) return refused({ ...params.error, code: 'not_found' })
  const single = singleValues(arrival.query)
  if (!single.ok) return single
  const query = check(route.query, 'query', single.value)
  if (!query.ok) return query
  if (route.method === 'GET')
    return ok({ params: params.value, query: query.value, body: undefined })
  const json = await readJson(arrival.http, arrival.bodyBytes)
  if (!json.ok) return json
  const body = check(route.body ?? noBody, 'body', json.value)
  if (!body.ok) return body
  return ok({ params: params.value, query: query.value, body: body.value })
}

/** Twice the same name, or a name without a value, is a mistake that should not be guessed at. */
function singleValues(query: Record<string, string[]>): Result<Record<string, string>, Refusal> {
  const entries: [string, string][] = []
  for (const [name, [value = '', ...more]] of Object.entries(query)) {
    if (more.length > 0 || value === '')
      return no('bad_request', 'each query parameter needs one value')
    entries.push([name, value])
  }
  return ok(Object.fromEntries(entries))
}

function check(
  schema: z.ZodType | undefined,
  where: string,
  value: unknown,
): Result<unknown, Refusal> {
  if (schema === undefined) return ok(undefined)
  const parsed = schema.safeParse(value)
  return parsed.success ? ok(parsed.data) : no('bad_request', explain(where, parsed.error))
}

/** The first few faults; a hostile body could have thousands, or key names of a megabyte. */
export function explain(where: string, error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')}: ${issue.message}`)
    .join('; ')
    .slice(0, 500)
}

function no(code: Refusal['code'], message: string): { ok: false; error: Refusal } {
  return refused({ code, message })
}
