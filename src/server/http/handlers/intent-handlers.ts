import type { By } from '../../../protocol/by.ts'
import type { Intent } from '../../../protocol/intent.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { Result } from '../../../protocol/result.ts'
import { routes } from '../../../protocol/routes.ts'
import type { SessionId } from '../../../protocol/seq.ts'
import type { Accepted } from '../../../protocol/session-view.ts'
import type { AppDeps } from '../deps.ts'
import { findHost } from '../find-host.ts'
import { on } from '../route.ts'

/** Each of these routes is one kind of intent: the path says the type, the body the rest. */
export function intentHandlers({ hosts }: AppDeps) {
  async function handle(
    { params, by }: { params: { id: SessionId }; by: By },
    intent: Intent,
  ): Promise<Result<Accepted, Refusal>> {
    const found = await findHost(hosts, params.id)
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
