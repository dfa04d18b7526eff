import { ok } from '../../../protocol/result.ts'
import { routes } from '../../../protocol/routes.ts'
import type { AppDeps } from '../deps.ts'
import { findHost } from '../find-host.ts'
import { on } from '../route.ts'

/** What helps a person to type. */
export function inputHandlers({ hosts }: AppDeps) {
  return {
    complete: on(routes.complete, async ({ params, query, by, http }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      // Whoever hangs up has typed on.
      const gone = new AbortController()
      http.outgoing.once('close', () => gone.abort())
      const client = by.client ?? null
      return ok(await found.value.complete(query, { client, signal: gone.signal }))
    }),
    history: on(routes.history, async ({ params, query }) => {
      const found = await findHost(hosts, params.id)
      return found.ok ? ok({ inputs: [...(await found.value.history(query))] }) : found
    }),
    commands: on(routes.commands, async ({ params }) => {
      const found = await findHost(hosts, params.id)
      return found.ok ? ok({ commands: [...(await found.value.commands())] }) : found
    }),
  }
}
