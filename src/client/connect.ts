import type { Route } from '../protocol/route.ts'
import { routes } from '../protocol/routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { Accepted } from '../protocol/session-view.ts'
import { createCall, retryLost, type Call } from './call.ts'
import { followEvents, type StreamOptions } from './event-stream.ts'
import { request, type Connection, type Input } from './request.ts'
import { waitFor, type Wait } from './wait.ts'

export interface ConnectOptions extends Connection {
  /** A word that was never used before: it tells a repeated send from a second one. */
  newKey: () => string
  wait?: Wait
}

export interface Submission {
  text: string
  as?: 'auto' | 'run' | 'text'
  signal?: AbortSignal
}

export interface Client {
  readonly url: string
  call: Call
  /** For routes that answer with a document. */
  document(route: Route, input: Input): Promise<string>
  /** Happens once, however often its answer gets lost on the way. */
  send(session: SessionId, submission: Submission): Promise<Accepted>
  follow(options: StreamOptions): Promise<void>
}

/** A server that is being replaced is back within this time. */
const sendDelays = [100, 200, 400, 800]

export function connect({ newKey, wait = waitFor, ...connection }: ConnectOptions): Client {
  const call = createCall(connection)
  return {
    url: connection.url,
    call,
    async document(route, input) {
      const response = await request(connection, route, input)
      return response.text()
    },
    send(session, { text, as = 'auto', signal }) {
      const key = newKey()
      const attempt = () =>
        call(routes.send, {
          params: { id: session },
          body: { text, as, key },
          ...(signal && { signal }),
        })
      return retryLost(attempt, { delays: sendDelays, wait: (ms) => wait(ms, signal) })
    },
    follow: (options) => followEvents(connection, options, wait),
  }
}
