import type { HttpBindings } from '@hono/node-server'
import { z } from 'zod'
import type { By } from '../../protocol/by.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import type { Route } from '../../protocol/route.ts'
import { callerOf } from './access.ts'
import { readJson } from './body.ts'
import { refusalResponse } from './refuse.ts'

/** A request that has come in: where it goes and what it carries, nothing checked yet. */
interface Arrival {
  http: HttpBindings
  params: Record<string, string>
  query: Record<string, string[]>
  bodyBytes: number
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

/** What a handler gives back; `response` is for streams and documents. */
export type Reply<T> = Result<T, Refusal> | { response: Response }
type ReplyOf<R> = R extends { answer: z.ZodType } ? Reply<Parsed<R, 'answer'>> : Reply<never>

export interface Bound {
  route: Route
  serve: (arrival: Arrival) => Promise<Response>
}

interface AnyCall {
  params: unknown
  query: unknown
  body: unknown
  by: By
  http: HttpBindings
}

/** Ties a handler to its route: it only ever sees what the route's schemas let through. */
export function on<R extends Route>(
  route: R,
  handler: (call: Call<R>) => Promise<ReplyOf<R>>,
): Bound
// The schemas are looked up by the route, which the compiler cannot follow; the signature above can.
export function on(route: Route, handler: (call: AnyCall) => Promise<Reply<unknown>>): Bound {
  return {
    route,
    async serve(arrival) {
      const parts = await parseParts(route, arrival)
      if (!parts.ok) return refusalResponse({ refusal: parts.error })
      const { http } = arrival
      const reply = await handler({ ...parts.value, by: callerOf(http.incoming), http })
      if ('response' in reply) return reply.response
      if (!reply.ok) return refusalResponse({ refusal: reply.error })
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return new Response(JSON.stringify(reply.value), { status: route.status, headers })
    },
  }
}

/** Where nothing is expected, nothing is let through unread. */
const noBody = z.strictObject({})

type Parts = Pick<AnyCall, 'params' | 'query' | 'body'>

async function parseParts(route: Route, arrival: Arrival): Promise<Result<Parts, Refusal>> {
  const params = check(route.params, { where: 'path', value: arrival.params })
  // An id that cannot exist is an id that does not exist.
  if (!params.ok) return refused({ ...params.error, code: 'not_found' })
  const single = singleValues(arrival.query)
  if (!single.ok) return single
  const query = check(route.query, { where: 'query', value: single.value })
  if (!query.ok) return query
  if (route.method === 'GET')
    return ok({ params: params.value, query: query.value, body: undefined })
  const json = await readJson(arrival.http, arrival.bodyBytes)
  if (!json.ok) return json
  const body = check(route.body ?? noBody, { where: 'body', value: json.value })
  if (!body.ok) return body
  return ok({ params: params.value, query: query.value, body: body.value })
}

/** Twice the same name, or a name without a value, is a mistake that should not be guessed at. */
function singleValues(query: Record<string, string[]>): Result<Record<string, string>, Refusal> {
  const entries: [string, string][] = []
  for (const [name, [value = '', ...more]] of Object.entries(query)) {
    if (more.length > 0 || value === '') {
      return refused({ code: 'bad_request', message: 'each query parameter needs one value' })
    }
    entries.push([name, value])
  }
  return ok(Object.fromEntries(entries))
}

function check(
  schema: z.ZodType | undefined,
  { where, value }: { where: string; value: unknown },
): Result<unknown, Refusal> {
  if (schema === undefined) return ok(undefined)
  const parsed = schema.safeParse(value)
  return parsed.success
    ? ok(parsed.data)
    : refused({ code: 'bad_request', message: explain(where, parsed.error) })
}

/** The first few faults; a hostile body could have thousands, or key names of a megabyte. */
export function explain(where: string, error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')}: ${issue.message}`)
    .join('; ')
    .slice(0, 500)
}
