import { routes } from '../../protocol/http/routes.ts'
import type { RunId } from '../../protocol/events/seq.ts'
import type { ShellOrder } from '../../protocol/http/team.ts'
import { type Access, tokenAccess } from './access.ts'
import { createCaller, type CallerOptions } from './call.ts'
import { followEvents, type StreamOptions } from './event-stream.ts'
import { waitFor } from './wait.ts'

/** With the token, which is never sent: both sides prove that they know it. */
export type ConnectOptions = Omit<CallerOptions, 'access'> &
  ({ token: string } | { access: Access })

/** A UI's end of the protocol, over HTTP alone. */
export type Client = ReturnType<typeof connect>

export function connect(options: ConnectOptions) {
  const { newKey, wait = waitFor } = options
  const access = 'access' in options ? options.access : tokenAccess(options)
  const connection = { ...options, access }
  const caller = createCaller(connection)
  const { call, retry } = caller
  return {
    ...caller,
    follow: (stream: StreamOptions) => followEvents(connection, stream, wait),
    /** A one-shot command of a team, as Delegate’s clients know it: once, however often its answer gets lost. */
    runShell(team: string, order: Omit<ShellOrder, 'key'>) {
      const body = { ...order, key: newKey() }
      return retry(() => call(routes.runShell, { params: { team }, body }))
    },
    getShellResult: (team: string, id: RunId) =>
      retry(() => call(routes.shellResult, { params: { team, id } })),
  }
}
