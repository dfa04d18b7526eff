import { z } from 'zod'
import { CacheReport } from './cache-report.ts'
import { Event } from './event.ts'
import { limits } from './limits.ts'
import { Head, RunId, Seq, SessionId } from './seq.ts'
import { RunOutput, RunView } from './session-view.ts'
import type { Route } from './route.ts'

const OfSession = z.object({ id: SessionId })
const OfRun = z.object({ id: SessionId, run: RunId })
const count = z.coerce.number().int().nonnegative()

export const ExportFormat = z.enum(['md', 'json', 'jsonl', 'cast', 'html'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** The log and the recording themselves: they hold what was kept from the model, and that has to be said. */
export const wholeExports: ReadonlySet<ExportFormat> = new Set(['jsonl', 'cast'])

/** Where in a run's output the first byte of an answer stands: what lies before it since `from` is gone. */
export const offsetHeader = 'tandem-offset'

/** What has been in a session, piece by piece. */
export const pageRoutes = {
  events: {
    method: 'GET',
    path: '/v1/sessions/:id/events',
    summary: 'Server-sent events: replay after `after` or `Last-Event-ID`, then live',
    access: 'token',
    params: OfSession,
    query: z.object({ after: count.optional() }),
    status: 200,
    produces: 'text/event-stream',
  },
  log: {
    method: 'GET',
    path: '/v1/sessions/:id/log',
    summary: 'A page of the log',
    access: 'token',
    params: OfSession,
    query: z.object({
      after: count.optional(),
      before: z.coerce.number().pipe(Seq).optional(),
      limit: z.coerce.number().int().min(1).max(limits.pageEvents).default(200),
    }),
    status: 200,
    answer: z.object({ events: z.array(Event), head: Head }),
  },
  run: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run',
    summary: 'A run and how it ended',
    access: 'token',
    params: OfRun,
    status: 200,
    answer: RunView,
  },
  runOutput: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run/output',
    summary: 'A page of what a run printed',
    access: 'token',
    params: OfRun,
    query: z.object({
      from: count.default(0),
      limit: z.coerce.number().int().min(1).max(limits.shownBytes).default(limits.shownBytes),
    }),
    status: 200,
    answer: RunOutput,
  },
  runBytes: {
    method: 'GET',
    path: '/v1/sessions/:id/runs/:run/bytes',
    summary:
      'The same as its bytes, as the terminal got them; `tandem-offset` says where they begin',
    access: 'token',
    params: OfRun,
    query: z.object({
      from: count.default(0),
      limit: z.coerce.number().int().min(1).max(limits.pageBytes).default(limits.pageBytes),
    }),
    status: 200,
    produces: 'application/octet-stream',
  },
  cache: {
    method: 'GET',
    path: '/v1/sessions/:id/cache',
    summary: 'What of each request the model had been sent before',
    access: 'token',
    params: OfSession,
    status: 200,
    answer: CacheReport,
  },
  export: {
    method: 'GET',
    path: '/v1/sessions/:id/export',
    summary: 'The session as a document; `jsonl` and `cast` hold private commands too',
    access: 'token',
    params: OfSession,
    query: z.object({ format: ExportFormat.default('md') }),
    status: 200,
    produces: 'text/plain',
  },
} as const satisfies Record<string, Route>
