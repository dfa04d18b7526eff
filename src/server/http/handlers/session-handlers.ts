import { ok, refused } from '../../../protocol/result.ts'
import { routes } from '../../../protocol/routes.ts'
import type { AppDeps } from '../deps.ts'
import { findHost } from '../find-host.ts'
import { on } from '../route.ts'

export function sessionHandlers({ hosts }: AppDeps) {
  return {
    sessions: on(routes.sessions, async ({ query }) =>
      ok({ sessions: [...(await hosts.list(query))] }),
    ),
    createSession: on(routes.createSession, async ({ body }) => {
      const created = await hosts.create(body)
      return created.ok ? ok(created.value.view()) : created
    }),
    session: on(routes.session, async ({ params }) => {
      const found = await findHost(hosts, params.id)
      return found.ok ? ok(found.value.view()) : found
    }),
    deleteSession: on(routes.deleteSession, async ({ params }) =>
      (await hosts.remove(params.id))
        ? ok({ deleted: params.id })
        : refused({ code: 'not_found', message: `there is no session ${params.id}` }),
    ),
  }
}
