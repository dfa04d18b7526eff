import { z } from 'zod'
import {
  Abort,
  Adopt,
  Answer,
  Drive,
  EditQueued,
  Interrupt,
  Keep,
  Submit,
  Update,
  Withdraw,
} from './intent.ts'
import { AgentRequest } from './agent-route.ts'
import { CreateSession } from './create-session.ts'
import { Health } from './health.ts'
import { ModelInfo } from './model-info.ts'
import { SessionId } from './seq.ts'
import { TeamName } from './session.ts'
import { Accepted, SessionSummary, SessionView } from './session-view.ts'
import { inputRoutes } from './input-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { skillRoutes } from './skill-routes.ts'
import { statsRoutes } from './stats-routes.ts'
import { teamRoutes } from './team-routes.ts'
import type { Route } from './route.ts'

/** Bumped when a client of the old version would misread the new. */
export const protocolVersion = 1

/** Which client is calling, free text; shown to people as who did something. */
export const clientHeader = 'tandem-client'

const OfSession = z.object({ id: SessionId })

/** The HTTP surface, said once: the server validates by it, clients build requests from it, and it is the OpenAPI document. */
export const routes = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'What is running here',
    access: 'token',
    status: 200,
    answer: Health,
  },
  exchange: {
    method: 'POST',
    path: '/v1/exchange',
    summary: 'Trade the one-time secret of a start URL for the token',
    access: 'open',
    body: z.strictObject({ secret: z.string().max(200) }),
    status: 200,
    answer: z.object({ token: z.string() }),
  },
  secret: {
    method: 'POST',
    path: '/v1/secrets',
    summary: 'Make a new one-time start URL',
    access: 'token',
    status: 201,
    answer: z.object({ secret: z.string(), url: z.string() }),
  },
  rotate: {
    method: 'POST',
    path: '/v1/token',
    summary: 'Replace the token; the old one stops working at once',
    access: 'token',
    status: 200,
    answer: z.object({ token: z.string() }),
  },
  ticket: {
    method: 'POST',
    path: '/v1/tickets',
    summary: 'A single-use ticket for the WebSocket, good for 30 seconds',
    access: 'token',
    status: 201,
    answer: z.object({ ticket: z.string() }),
  },
  shutdown: {
    method: 'POST',
    path: '/v1/shutdown',
    summary: 'End the server; shells and their runs live on in their holders',
    access: 'token',
    body: z.strictObject({ shells: z.enum(['keep', 'end']).default('keep') }),
    status: 202,
    answer: z.object({ pid: z.number().int() }),
  },
  models: {
    method: 'GET',
    path: '/v1/models',
    summary: 'The models there are, and whether they answer',
    access: 'token',
    status: 200,
    answer: z.object({ current: z.string(), providers: z.array(ModelInfo) }),
  },
  sessions: {
    method: 'GET',
    path: '/v1/sessions',
    summary: 'Sessions, newest first',
    access: 'token',
    query: z.object({
      team: TeamName.optional(),
      workspace: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    status: 200,
    answer: z.object({ sessions: z.array(SessionSummary) }),
  },
  createSession: {
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Start a session',
    access: 'token',
    body: CreateSession,
    status: 201,
    answer: SessionView,
  },
  session: {
    method: 'GET',
    path: '/v1/sessions/:id',
    summary: 'Where a session stands, with everything that is open',
    access: 'token',
    params: OfSession,
    status: 200,
    answer: SessionView,
  },
  updateSession: {
    method: 'PATCH',
    path: '/v1/sessions/:id',
    summary: 'Change title, approval mode or privacy',
    access: 'token',
    params: OfSession,
    body: Update.omit({ type: true }),
    status: 200,
    answer: Accepted,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/v1/sessions/:id',
    summary: 'Delete a session, its log and its shell',
    access: 'token',
    params: OfSession,
    status: 200,
    answer: z.object({ deleted: SessionId }),
  },
  send: {
    method: 'POST',
    path: '/v1/sessions/:id/send',
    summary: 'Submit raw text; the session routes it',
    access: 'token',
    params: OfSession,
    body: Submit.omit({ type: true }),
    status: 202,
    answer: Accepted,
  },
  answer: {
    method: 'POST',
    path: '/v1/sessions/:id/answer',
    summary: 'Answer a question; the first answer wins',
    access: 'token',
    params: OfSession,
    body: Answer.omit({ type: true }),
    status: 200,
    answer: Accepted,
  },
  abort: {
    method: 'POST',
    path: '/v1/sessions/:id/abort',
    summary: 'End the turn',
    access: 'token',
    params: OfSession,
    body: Abort.omit({ type: true }),
    status: 200,
    answer: Accepted,
  },
  interrupt: {
    method: 'POST',
    path: '/v1/sessions/:id/interrupt',
    summary: 'Signal the run in the terminal',
    access: 'token',
    params: OfSession,
    body: Interrupt.omit({ type: true }),
    status: 202,
    answer: Accepted,
  },
  keep: {
    method: 'POST',
    path: '/v1/sessions/:id/keep',
    summary: 'Let the command in the terminal go on, however long it is silent',
    access: 'token',
    params: OfSession,
    body: Keep.omit({ type: true }),
    status: 200,
    answer: Accepted,
  },
  adopt: {
    method: 'POST',
    path: '/v1/sessions/:id/adopt',
    summary: 'Run commands in the shell that reads in the terminal now: of ssh, su, bash --norc',
    access: 'token',
    params: OfSession,
    body: Adopt.omit({ type: true }),
    status: 202,
    answer: Accepted,
  },
  driver: {
    method: 'POST',
    path: '/v1/sessions/:id/driver',
    summary: 'Take over the keyboard or hand it back',
    access: 'token',
    params: OfSession,
    body: Drive.omit({ type: true }),
    status: 200,
    answer: Accepted,
  },
  queue: {
    method: 'POST',
    path: '/v1/sessions/:id/queue',
    summary: 'Withdraw something that waits, or edit queued text',
    access: 'token',
    params: OfSession,
    body: z.union([EditQueued.omit({ type: true }), Withdraw.omit({ type: true })]),
    status: 200,
    answer: Accepted,
  },
  ...pageRoutes,
  ...inputRoutes,
  ...teamRoutes,
  ...statsRoutes,
  ...skillRoutes,
  agent: {
    method: 'POST',
    path: '/api/agent',
    summary: 'One turn over a history the caller keeps, in a throw-away session',
    access: 'token',
    body: AgentRequest,
    status: 200,
    produces: 'text/event-stream',
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
