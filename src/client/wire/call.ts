import { z } from 'zod'
import type { Route } from '../../protocol/http/route.ts'
import { ClientError } from './client-error.ts'
import { request, type Connection, type Input } from './request.ts'

type JsonRoute = Route & { answer: z.ZodType }

/** The input of a route, no more and no less. */
type InputOf<R extends Route> = (R extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : unknown) &
  (R extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : unknown) &
  (R extends { query: infer Q extends z.ZodType }
    ? { query?: { [name in keyof z.input<Q>]?: string | number | undefined } }
    : unknown)

export interface Call {
  <R extends JsonRoute>(route: R, input: Input & InputOf<R>): Promise<z.output<R['answer']>>
}

/** A client, as far as most of what it is asked for goes. */
export interface Calls {
  call: Call
}

/** One typed call for every JSON route of the protocol: what it sends and gets is said there. */
export function createCall(connection: Connection): Call {
  return async <R extends JsonRoute>(route: R, input: Input & InputOf<R>) => {
    const response = await request(connection, route, input)
    const answer = z.safeParse<R['answer']>(route.answer, await jsonOf(response, connection.url))
    if (answer.success) return answer.data
    throw new ClientError(
      `${route.method} ${route.path} was answered in a shape this client does not know`,
      { kind: 'garbled', status: response.status },
      { cause: answer.error },
    )
  }
}

/** An answer that breaks off is as good as none. */
async function jsonOf(response: Response, url: string): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new ClientError(`the answer from ${url} broke off`, { kind: 'unreachable' }, { cause })
  })
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
