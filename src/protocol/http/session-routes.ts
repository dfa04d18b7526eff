import { z } from 'zod'
import { SessionId } from '../events/seq.ts'
import { ApprovalMode } from '../events/approval-mode.ts'
import { TeamName, Title } from '../events/session.ts'
import { limits } from '../limits.ts'
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
import { hasField, OfSession, type Route } from './route.ts'
import { Accepted, LogDamage, SessionSummary, SessionView } from './session-view.ts'

export const CreateSession = z.strictObject({
  /** An existing absolute folder. */
  workspace: z.string().min(1).max(4_096),
  team: TeamName.default('default'),
  title: Title.optional(),
  /** Default: what the configuration says, `guarded` if nothing. */
  approval: ApprovalMode.optional(),
  /** False: nobody is there to be asked, and whatever would ask is denied. */
  attended: z.boolean().optional(),
  /** Takes the live terminal of this session over, if it has one: shell, jobs and screen go on here. */
  terminalFrom: SessionId.optional(),
})
export type CreateSession = z.infer<typeof CreateSession>

/** The commands of a session that say yes, or make more commands run unasked. */
const consent = /^\s*\/(?:approve|yes|trust)(?![\w-])/i

const intent = { method: 'POST', params: OfSession, answer: Accepted } as const

/** Sessions, and what a client may ask of one. */
export const sessionRoutes = {
  sessions: {
    method: 'GET',
    path: '/v1/sessions',
    summary: 'Sessions, newest first',
    query: z.object({
      team: TeamName.optional(),
      workspace: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    answer: z.object({ sessions: z.array(SessionSummary), damage: LogDamage.optional() }),
  },
  createSession: {
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Start a session',
    body: CreateSession,
    approves: hasField('approval'),
    status: 201,
    answer: SessionView,
  },
  session: {
    method: 'GET',
    path: '/v1/sessions/:id',
    summary: 'Where a session stands, with everything that is open',
    params: OfSession,
    answer: SessionView,
  },
  updateSession: {
    method: 'PATCH',
    path: '/v1/sessions/:id',
    summary: 'Change title, approval mode or privacy',
    params: OfSession,
    body: Update.omit({ type: true }),
    approves: hasField('approval'),
    answer: Accepted,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/v1/sessions/:id',
    summary: 'Delete a session, its log and its shell',
    params: OfSession,
    answer: z.object({ deleted: SessionId }),
  },
  send: {
    ...intent,
    path: '/v1/sessions/:id/send',
    summary: 'Submit raw text; the session routes it',
    body: Submit.omit({ type: true }),
    approves: hasField('text', consent),
    bodyBytes: limits.bodyBytes,
    status: 202,
  },
  answer: {
    ...intent,
    path: '/v1/sessions/:id/answer',
    summary: 'Answer a question; the first answer wins',
    body: Answer.omit({ type: true }),
    approves: () => true,
    bodyBytes: limits.commandBodyBytes,
  },
  abort: {
    ...intent,
    path: '/v1/sessions/:id/abort',
    summary: 'End the turn',
    body: Abort.omit({ type: true }),
  },
  interrupt: {
    ...intent,
    path: '/v1/sessions/:id/interrupt',
    summary: 'Signal the run in the terminal',
    body: Interrupt.omit({ type: true }),
    status: 202,
  },
  keep: {
    ...intent,
    path: '/v1/sessions/:id/keep',
    summary: 'Let the command in the terminal go on, however long it is silent',
    body: Keep.omit({ type: true }),
  },
  adopt: {
    ...intent,
    path: '/v1/sessions/:id/adopt',
    summary: 'Run commands in the shell that reads in the terminal now: of ssh, su, bash --norc',
    body: Adopt.omit({ type: true }),
    status: 202,
  },
  driver: {
    ...intent,
    path: '/v1/sessions/:id/driver',
    summary: 'Take over the keyboard or hand it back',
    body: Drive.omit({ type: true }),
  },
  queue: {
    ...intent,
    path: '/v1/sessions/:id/queue',
    summary: 'Withdraw something that waits, or edit queued text',
    body: z.union([EditQueued.omit({ type: true }), Withdraw.omit({ type: true })]),
    bodyBytes: limits.bodyBytes,
  },
} as const satisfies Record<string, Route>
