import { ok, refused, type Result } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { AppDeps } from '../deps.ts'
import { on, onSession } from '../route.ts'
import type { By } from '../../../protocol/events/event-base.ts'
import type { Intent } from '../../../protocol/http/intent.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { SessionId } from '../../../protocol/events/seq.ts'
import type { Accepted } from '../../../protocol/http/session-view.ts'

export function sessionHandlers({ hosts, care }: AppDeps) {
  return {
    sessions: on(routes.sessions, async ({ query }) => {
      const damage = care?.damage()
      return ok({ sessions: [...(await hosts.list(query))], ...(damage && { damage }) })
    }),
    createSession: on(routes.createSession, async ({ body }) => {
      const created = await hosts.create(body)
      return created.ok ? ok(created.value.view()) : created
    }),
    session: onSession(hosts, routes.session, async (host) => ok(host.view())),
    deleteSession: on(routes.deleteSession, async ({ params }) =>
      (await hosts.remove(params.id))
        ? ok({ deleted: params.id })
        : refused({ code: 'not_found', message: `there is no session ${params.id}` }),
    ),
  }
}

/** Help for a person who types. */
export function inputHandlers({ hosts }: AppDeps) {
  return {
    complete: onSession(hosts, routes.complete, async (host, { query, by, http }) => {
      // A client that hangs up has typed on.
      const gone = new AbortController()
      http.outgoing.once('close', () => gone.abort())
      const client = by.client ?? null
      return ok(await host.complete(query, { client, signal: gone.signal }))
    }),
    history: onSession(hosts, routes.history, async (host, { query }) =>
      ok({ inputs: [...(await host.history(query))] }),
    ),
    commands: onSession(hosts, routes.commands, async (host) =>
      ok({ commands: [...(await host.commands())] }),
    ),
  }
}

/** Each of these routes is one kind of intent: the path says the type, the body the rest. */
export function intentHandlers({ hosts }: AppDeps) {
  async function handle(
    { params, by }: { params: { id: SessionId }; by: By },
    intent: Intent,
  ): Promise<Result<Accepted, Refusal>> {
    const found = await hosts.open(params.id)
    return found.ok ? found.value.handle(intent, by) : found
  }

  return {
    updateSession: on(routes.updateSession, (call) =>
      handle(call, { type: 'update', ...call.body }),
    ),
    send: on(routes.send, (call) => handle(call, { type: 'submit', ...call.body })),
    answer: on(routes.answer, (call) => handle(call, { type: 'answer', ...call.body })),
    abort: on(routes.abort, (call) => handle(call, { type: 'abort' })),
    interrupt: on(routes.interrupt, (call) => handle(call, { type: 'interrupt', ...call.body })),
    keep: on(routes.keep, (call) => handle(call, { type: 'keep' })),
    adopt: on(routes.adopt, (call) => handle(call, { type: 'adopt' })),
    driver: on(routes.driver, (call) => handle(call, { type: 'drive', ...call.body })),
    queue: on(routes.queue, (call) =>
      handle(
        call,
        'text' in call.body
          ? { type: 'edit_queued', ...call.body }
          : { type: 'withdraw', ...call.body },
      ),
    ),
  }
}
