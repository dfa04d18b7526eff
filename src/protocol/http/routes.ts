import { AgentRequest } from './agent-route.ts'
import { limits } from '../limits.ts'
import { accessRoutes } from './handshake.ts'
import { inputRoutes } from './completion.ts'
import { pageRoutes } from './page-routes.ts'
import { hasField, type Route } from './route.ts'
import { serverRoutes } from './server-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { skillRoutes } from './skill.ts'
import { statsRoutes } from './stats.ts'
import { teamRoutes } from './team-routes.ts'

/** Bumped when a client of the old version would misread the new. */
export const protocolVersion = 2

/** The header that names the calling client, free text; people see it as who did something. */
export const clientHeader = 'tandem-client'

/**
 * The HTTP surface, said once: the server validates by it, clients build requests from it, and it
 * is the OpenAPI document.
 */
export const routes = {
  ...accessRoutes,
  ...serverRoutes,
  ...sessionRoutes,
  ...pageRoutes,
  ...inputRoutes,
  ...teamRoutes,
  ...statsRoutes,
  ...skillRoutes,
  agent: {
    method: 'POST',
    path: '/api/agent',
    summary: 'One turn over a history the caller keeps, in a throw-away session',
    body: AgentRequest,
    approves: hasField('approval'),
    bodyBytes: limits.historyBodyBytes,
    produces: 'text/event-stream',
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
