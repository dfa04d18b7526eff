import { z } from 'zod'
import type { Route } from '../../protocol/http/route.ts'
import { ClientError, suspectedIn } from './client-error.ts'
import { request, type Connection, type Input } from './request.ts'
import { offsetHeader } from '../../protocol/http/page-routes.ts'
import { routes } from '../../protocol/http/routes.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import type { Accepted } from '../../protocol/http/session-view.ts'
import { createInputHelp } from '../input.ts'
import { waitFor, whileUnreachable, type Wait } from './wait.ts'

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

export interface CallerOptions extends Connection {
  /** A word that was never used before: it tells a repeated send from a second one. */
  newKey: () => string
  wait?: Wait
}

export interface Submission {
  text: string
  as?: SubmitAs
  /** How long a command may be silent; 0 = for ever. */
  timeoutMs?: number
  /** The person said before that it is no password. */
  notSecret?: boolean
  /**
   * Asks the person, who may be answering what looks like a question for a password in the terminal: a yes sends the
   * text all the same. Without it that is refused as `secret_suspected`.
   */
  isNotSecret?: (question: string) => boolean | Promise<boolean>
  signal?: AbortSignal
}

/** A server that is being replaced is back within the time that these take. */
const retries = 4

/** Requests to a server and their answers; what comes by itself is a stream's or a socket's. */
export type Caller = ReturnType<typeof createCaller>

export function createCaller({ newKey, wait = waitFor, ...connection }: CallerOptions) {
  const call = createCall(connection)
  const retry = <T>(attempt: () => Promise<T>, signal?: AbortSignal) =>
    whileUnreachable(attempt, { wait, signal, retries })
  return {
    url: connection.url,
    call,
    /** Tries again while no answer comes. */
    retry,
    /** For routes that answer with a document. */
    document: async (route: Route, input: Input): Promise<string> =>
      (await request(connection, route, input)).text(),
    /** For routes that answer with a line at a time, however long that goes on. */
    lines: async (route: Route, input: Input): Promise<AsyncGenerator<string, void>> =>
      linesOf(await request(connection, route, input)),
    /** For routes that answer with a part of something longer: its bytes, and where the next ones begin. */
    async bytes(route: Route, input: Input): Promise<{ bytes: Uint8Array; to: number }> {
      const response = await request(connection, route, input)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { bytes, to: Number(response.headers.get(offsetHeader)) + bytes.length }
    },
    /** Happens once, however often its answer gets lost on the way. */
    async send(session: SessionId, submission: Submission): Promise<Accepted> {
      const { signal, as = 'auto', isNotSecret, ...given } = submission
      const attempt = (more: Pick<Submission, 'notSecret'> = {}) => {
        const body = { ...given, ...more, as, key: newKey() }
        const input = { params: { id: session }, body, ...(signal && { signal }) }
        return retry(() => call(routes.send, input), signal)
      }
      try {
        return await attempt()
      } catch (error) {
        const question = suspectedIn(error)
        if (question === null || !(await isNotSecret?.(question))) throw error
        return attempt({ notSecret: true })
      }
    },
    ...createInputHelp(call),
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  const text = body?.pipeThrough(new TextDecoderStream()).getReader()
  let begun = ''
  try {
    for (let piece = await text?.read(); piece && !piece.done; piece = await text?.read()) {
      const lines = `${begun}${piece.value}`.split('\n')
      begun = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await text?.cancel()
  }
  // The server ends every line: one without an end was cut off.
  if (begun !== '') throw cutOff()
}

const cutOff = () =>
  new ClientError('the server went away before it had told all.', { kind: 'unreachable' })
