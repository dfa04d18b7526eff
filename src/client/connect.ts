import { offsetHeader } from '../protocol/page-routes.ts'
import type { Route } from '../protocol/route.ts'
import { routes } from '../protocol/routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { Accepted } from '../protocol/session-view.ts'
import { createCall, retryLost, type Call } from './call.ts'
import { followEvents, type StreamOptions } from './event-stream.ts'
import { createInputHelp, type InputHelp } from './input.ts'
import { request, type Connection, type Input } from './request.ts'
import { createShellClient, type ShellClient } from './shell.ts'
import { waitFor, type Wait } from './wait.ts'

export interface ConnectOptions extends Connection {
  /** A word that was never used before: it tells a repeated send from a second one. */
  newKey: () => string
  wait?: Wait
}

export interface Submission {
  text: string
  as?: 'auto' | 'run' | 'text'
  /** How long a command may be silent; 0 = for ever. */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface Client extends ShellClient, InputHelp {
  readonly url: string
  call: Call
  /** For routes that answer with a document. */
  document(route: Route, input: Input): Promise<string>
  /** For routes that answer with a part of something longer: its bytes, and where the next ones begin. */
  bytes(route: Route, input: Input): Promise<{ bytes: Uint8Array; to: number }>
  /** Happens once, however often its answer gets lost on the way. */
  send(session: SessionId, submission: Submission): Promise<Accepted>
  follow(options: StreamOptions): Promise<void>
}

/** A server that is being replaced is back within this time. */
const sendDelays = [100, 200, 400, 800]

export function connect({ newKey, wait = waitFor, ...connection }: ConnectOptions): Client {
  const call = createCall(connection)
  const retry = <T>(attempt: () => Promise<T>, signal?: AbortSignal) =>
    retryLost(attempt, { delays: sendDelays, wait: (ms) => wait(ms, signal) })
  return {
    url: connection.url,
    call,
    async document(route, input) {
      const response = await request(connection, route, input)
      return response.text()
    },
    async bytes(route, input) {
      const response = await request(connection, route, input)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { bytes, to: Number(response.headers.get(offsetHeader)) + bytes.length }
    },
    send(session, { text, as = 'auto', timeoutMs, signal }) {
      const key = newKey()
      const attempt = () =>
        call(routes.send, {
          params: { id: session },
          body: { text, as, key, ...(timeoutMs !== undefined && { timeoutMs }) },
          ...(signal && { signal }),
        })
      return retry(attempt, signal)
    },
    ...createShellClient({ call, newKey, retry }),
    ...createInputHelp(call),
    follow: (options) => followEvents(connection, options, wait),
  }
}
