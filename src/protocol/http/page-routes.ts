import { z } from 'zod'
import { Event } from '../events/event.ts'
import { At, Head, RunId, Seq, SessionId } from '../events/seq.ts'
import { Usage, Witness } from '../events/turn.ts'
import { limits } from '../limits.ts'
import { OfSession, type Route } from './route.ts'
import { RunOutput, RunView } from './session-view.ts'

/** One request to the model: what of it had been sent before, and what the provider says it reused. */
export const CachedRequest = z.object({
  /** The `step_start`. */
  step: Seq,
  at: At,
  model: z.string(),
  /** The size of the request. */
  bytes: z.number().int().nonnegative(),
  /** Null while its reply is under way. */
  witness: Witness.nullable(),
  usage: Usage.nullable(),
})
export type CachedRequest = z.infer<typeof CachedRequest>

export const CacheReport = z.object({
  requests: z.array(CachedRequest),
  /** Requests that did not extend the one before within their epoch: there should be none. */
  broken: z.number().int().nonnegative(),
})
export type CacheReport = z.infer<typeof CacheReport>

const OfRun = z.object({ id: SessionId, run: RunId })
const count = z.coerce.number().int().nonnegative()

export const ExportFormat = z.enum(['md', 'json', 'jsonl', 'cast', 'html'])
export type ExportFormat = z.infer<typeof ExportFormat>

/**
 * The log and the recording themselves: they hold what was kept from the model, and that has to be
 * said.
 */
export const wholeExports: ReadonlySet<ExportFormat> = new Set(['jsonl', 'cast'])

/**
 * The header that says where in a run's output the first byte of an answer stands: earlier bytes
 * since `from` are gone.
 */
export const offsetHeader = 'tandem-offset'

export const AuditQuery = z.object({
  session: SessionId.optional(),
  /** Rows of this time and later, in milliseconds since 1970. */
  since: z.coerce.number().pipe(At).optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/** Routes that read a session's past, piece by piece. */
export const pageRoutes = {
  audit: {
    method: 'GET',
    path: '/v1/audit',
    summary:
      'Who proposed, was asked, answered and ran which command: a JSON object a line, session by session',
    query: AuditQuery,
    produces: 'application/jsonl',
  },
  events: {
    method: 'GET',
    path: '/v1/sessions/:id/events',
    summary: 'Server-sent events: replay after `after` or `Last-Event-ID`, then live',
    params: OfSession,
    query: z.object({ after: count.optional() }),
    produces: 'text/event-stream',
  },
  log: {
    method: 'GET',
    path: '/v1/sessions/:id/log',
    summary: 'A page of the log',
    params: OfSession,
    query: z.object({
      after: count.optional(),
      before: z.coerce.number().pipe(Seq).optional(),
      limit: z.coerce.number().int().min(1).max(limits.pageEvents).default(200),
    }),
    answer: z.object({ events: z.array(Event), head: Head }),
  },
  run: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run',
    summary: 'A run and how it ended',
    params: OfRun,
    answer: RunView,
  },
  runOutput: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run/output',
    summary: 'A page of what a run printed',
    params: OfRun,
    query: z.object({
      from: count.default(0),
      limit: z.coerce.number().int().min(1).max(limits.shownBytes).default(limits.shownBytes),
    }),
    answer: RunOutput,
  },
  runBytes: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run/bytes',
    summary:
      'The same as its bytes, as the terminal got them; `tandem-offset` says where they begin',
    params: OfRun,
    query: z.object({
      from: count.default(0),
      limit: z.coerce.number().int().min(1).max(limits.pageBytes).default(limits.pageBytes),
    }),
    produces: 'application/octet-stream',
  },
  cache: {
    method: 'GET',
    path: '/v1/sessions/:id/cache',
    summary: 'What of each request the model had been sent before',
    params: OfSession,
    answer: CacheReport,
  },
  export: {
    method: 'GET',
    path: '/v1/sessions/:id/export',
    summary: 'The session as a document; `jsonl` and `cast` hold private commands too',
    params: OfSession,
    query: z.object({ format: ExportFormat.default('md') }),
    produces: 'text/plain',
  },
} as const satisfies Record<string, Route>
