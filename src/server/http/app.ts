import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { RouteName } from '../../protocol/routes.ts'
import { hasToken } from './access.ts'
import { worldRefusal } from '../store-refusal.ts'
import { agentHandler } from './agent.ts'
import type { AppDeps } from './deps.ts'
import { eventsHandler } from './events.ts'
import { inputHandlers } from './handlers/input-handlers.ts'
import { intentHandlers } from './handlers/intent-handlers.ts'
import { pageHandlers } from './handlers/page-handlers.ts'
import { serverHandlers } from './handlers/server-handlers.ts'
import { sessionHandlers } from './handlers/session-handlers.ts'
import { shellHandlers } from './handlers/shell-handlers.ts'
import { teamHandlers } from './handlers/team-handlers.ts'
import { tokenHandlers } from './handlers/token-handlers.ts'
import { documentPolicy } from './headers.ts'
import { openApiDocument } from './openapi.ts'
import { refusalResponse } from './refuse.ts'
import type { Bound } from './route.ts'
import { createWebFiles } from './static.ts'
import { welcome } from './welcome.ts'

type Env = { Bindings: HttpBindings }
type App = Hono<Env>

/** The routes behind the gate: every one of the table, and the two documents. */
export function createApp(deps: AppDeps): App {
  const app: App = new Hono<Env>()
  // A route without a handler, or a handler without a route, does not compile.
  const bound = {
    ...serverHandlers(deps),
    ...tokenHandlers(deps),
    ...sessionHandlers(deps),
    ...intentHandlers(deps),
    ...pageHandlers(deps),
    ...inputHandlers(deps),
    ...teamHandlers(deps),
    ...shellHandlers(deps),
    events: eventsHandler(deps),
    agent: agentHandler(deps),
  } satisfies Record<RouteName, Bound>

  const allowed = new Map<string, string[]>()
  function mount(
    method: string,
    path: string,
    serve: (c: Context<Env>) => Response | Promise<Response>,
  ): void {
    allowed.set(path, [...(allowed.get(path) ?? []), method])
    // Hono answers HEAD as a GET, which for an event stream would be one.
    app.on(method, path, (c) => (c.req.method === 'HEAD' ? wrongMethod(path) : serve(c)))
  }
  function wrongMethod(path: string): Response {
    const allow = (allowed.get(path) ?? []).join(', ')
    const refusal = { code: 'method_not_allowed', message: `use ${allow}` } as const
    return refusalResponse({ refusal, headers: { allow } })
  }

  for (const { route, serve } of Object.values<Bound>(bound)) {
    mount(route.method, route.path, (c) => {
      if (route.access === 'token' && !hasToken(c.env.incoming, deps.token.current()))
        return noToken()
      return serve({
        http: c.env,
        params: c.req.param(),
        query: c.req.queries(),
        bodyBytes: deps.bounds.bodyBytes,
      })
    })
  }
  mountDocuments(deps, mount)
  for (const path of allowed.keys()) app.all(path, () => wrongMethod(path))

  app.notFound(nothingHere)
  app.onError((error, c) => {
    deps.diagnostics(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`)
    const refusal = worldRefusal(error)
    return refusal ? refusalResponse({ refusal }) : internalError()
  })
  return app
}

type Mount = (
  method: string,
  path: string,
  serve: (c: Context<Env>) => Response | Promise<Response>,
) => void

/** What anyone on this machine may read: it says what this is, and holds no secret. */
function mountDocuments(deps: AppDeps, mount: Mount): void {
  let document: string | null = null
  mount('GET', '/openapi.json', () => {
    document ??= JSON.stringify(openApiDocument(deps.version))
    return new Response(document, { headers: { 'content-type': 'application/json' } })
  })
  const web = createWebFiles()
  mount('GET', '/', async (c) => {
    const page = await web.page(c.env.incoming)
    const answer =
      page ??
      new Response(welcome(deps), { headers: { 'content-type': plainText, vary: 'accept' } })
    answer.headers.set('content-security-policy', documentPolicy(deps.port()))
    return answer
  })
  for (const path of ['/icon.svg', '/assets/:name'])
    mount('GET', path, async (c) => (await web.file(c.req.path, c.env.incoming)) ?? nothingHere())
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

function noToken(): Response {
  const message =
    'send the token as `Authorization: Bearer …`; it is in the file `token` of the data folder'
  return refusalResponse({ refusal: { code: 'unauthorized', message } })
}

export function internalError(): Response {
  const message = 'an unexpected error; the server wrote it to its diagnostics'
  return refusalResponse({ refusal: { code: 'internal', message } })
}
