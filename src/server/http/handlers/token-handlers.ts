import { ok, refused } from '../../../protocol/result.ts'
import { routes } from '../../../protocol/routes.ts'
import { startUrl, type AppDeps } from '../deps.ts'
import { on } from '../route.ts'

export function tokenHandlers(deps: AppDeps) {
  const { token, startSecrets, tickets, streams } = deps
  return {
    exchange: on(routes.exchange, async ({ body }) => {
      if (startSecrets.take(body.secret)) return ok({ token: token.current() })
      const message = 'this start address was used or is too old; `tandem web` prints a new one'
      return refused({ code: 'unauthorized', message })
    }),
    secret: on(routes.secret, async () => {
      const secret = startSecrets.issue()
      return ok({ secret, url: startUrl(deps, secret) })
    }),
    rotate: on(routes.rotate, async () => {
      const next = await token.rotate()
      // What the old token opened ends with it, or a thief would keep listening.
      startSecrets.clear()
      tickets.clear()
      streams.endAll()
      return ok({ token: next })
    }),
    ticket: on(routes.ticket, async () => ok({ ticket: tickets.issue() })),
  }
}
