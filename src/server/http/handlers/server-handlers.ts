import { ok } from '../../../protocol/result.ts'
import { protocolVersion, routes } from '../../../protocol/routes.ts'
import type { AppDeps } from '../deps.ts'
import { on } from '../route.ts'

export function serverHandlers(deps: AppDeps) {
  return {
    health: on(routes.health, async () =>
      ok({
        version: deps.version,
        protocol: protocolVersion,
        pid: process.pid,
        model: deps.model(),
        sessions: deps.hosts.count(),
        ...(deps.limits && { limits: deps.limits() }),
        folder: process.cwd(),
      }),
    ),
    models: on(routes.models, async () =>
      ok({ current: deps.model(), providers: [...(await deps.models())] }),
    ),
    skills: on(routes.skills, async ({ query }) =>
      ok({ skills: [...(await deps.skills(query.folder ?? null))] }),
    ),
    stats: on(routes.stats, async ({ query }) => ok(await deps.stats(query))),
    shutdown: on(routes.shutdown, async ({ body, http }) => {
      http.outgoing.once('close', () => deps.shutdown(body))
      return ok({ pid: process.pid })
    }),
  }
}
