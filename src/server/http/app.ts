import { Hono } from 'hono'
import type { RouteName } from '../../protocol/http/routes.ts'
import type { AppDeps } from './deps.ts'
import { inputHandlers, intentHandlers, sessionHandlers } from './handlers/session-handlers.ts'
import { pageHandlers } from './handlers/page-handlers.ts'
import { accessHandlers, serverHandlers, modelHandlers } from './handlers/server-handlers.ts'
import { shellHandlers } from './handlers/shell-handlers.ts'
import { teamHandlers } from './handlers/team-handlers.ts'
import { openApiDocument } from './openapi.ts'
import { documentPolicy, refusalResponse } from './refuse.ts'
import { type App, type Bound, createRouter, type Env, type Router } from './route.ts'
import { createWebFiles, welcome } from './static.ts'
import { agentHandler } from './stream/agent.ts'
import { eventsHandler } from './stream/events.ts'
import { worldRefusal } from '../store/store-error.ts'

/** The routes behind the gate: every one of the table, and the two documents. */
export function createApp(deps: AppDeps): App {
  const app: App = new Hono<Env>()
  // A route without a handler, or a handler without a route, does not compile.
  const bound = {
    ...serverHandlers(deps),
    ...modelHandlers(deps),
    ...accessHandlers(deps),
    ...sessionHandlers(deps),
    ...intentHandlers(deps),
    ...pageHandlers(deps),
    ...inputHandlers(deps),
    ...teamHandlers(deps),
    ...shellHandlers(deps),
    events: eventsHandler(deps),
    agent: agentHandler(deps),
  } satisfies Record<RouteName, Bound>

  const router = createRouter(app)
  for (const handler of Object.values<Bound>(bound)) router.route(handler, deps)
  mountDocuments(deps, router.mount)
  router.refuseOtherMethods()

  app.notFound(nothingHere)
  app.onError((error, c) => {
    deps.diagnostics(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`)
    const refusal = worldRefusal(error)
    return refusal ? refusalResponse({ refusal }) : internalError()
  })
  return app
}

/** Documents that anyone on this machine may read: they say what this is, and hold no secret. */
function mountDocuments(deps: AppDeps, mount: Router['mount']): void {
  let document: string | null = null
  mount('GET', '/openapi.json', () => {
    document ??= JSON.stringify(openApiDocument(deps.version))
    return new Response(document, { headers: { 'content-type': 'application/json' } })
  })
  const web = createWebFiles()
  mount('GET', '/', async (c) => {
    const page = await web.page(c)
    const answer =
      page ??
      new Response(welcome(deps), { headers: { 'content-type': plainText, vary: 'accept' } })
    answer.headers.set('content-security-policy', documentPolicy(deps.port()))
    return answer
  })
  for (const path of ['/icon.svg', '/assets/:name'])
    mount('GET', path, async (c) => (await web.file(c)) ?? nothingHere())
  mount('GET', '/v1/socket', () =>
    refusalResponse({
      refusal: { code: 'bad_request', message: 'this address is a WebSocket' },
      status: 426,
      headers: { upgrade: 'websocket', connection: 'upgrade' },
    }),
  )
}

const plainText = 'text/plain; charset=utf-8'

function nothingHere(): Response {
  return refusalResponse({
    refusal: { code: 'not_found', message: 'there is nothing here; see /openapi.json' },
  })
}

export function internalError(): Response {
  const message = 'an unexpected error; the server wrote it to its diagnostics'
  return refusalResponse({ refusal: { code: 'internal', message } })
}
