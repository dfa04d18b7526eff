import { z } from 'zod'
import { AskScope, Grade } from './ask.ts'
import { By } from './event-base.ts'
import { RunOutcome, RunSource } from './run.ts'
import { At, Seq, SessionId } from './seq.ts'

/**
 * The life of a command in the audit. Of a model's, `proposed` comes first, and exactly one of `ran`, `denied` and
 * `skipped` last; between them it may be asked about, more than once. `revoked` is about no command: a yes that counts no
 * longer, its words among the reasons.
 */
export const AuditKind = z.enum([
  'proposed',
  'asked',
  'answered',
  'ran',
  'denied',
  'skipped',
  'revoked',
])
export type AuditKind = z.infer<typeof AuditKind>

const Who = { who: By.shape.kind, name: z.string().nullable(), client: z.string().nullable() }

/** One line of the audit: it follows from the log, and goes with it. */
export const AuditRow = z.object({
  session: SessionId,
  /** The event that it is about; of a run its start. */
  seq: Seq,
  at: At,
  kind: AuditKind,
  /** Secrets are taken out; null: private, or the shell did not tell it. */
  command: z.string().nullable(),
  /** Null where nothing was decided: a person's own command, a proposal. */
  decision: z.enum(['allow', 'ask', 'deny', 'void']).nullable(),
  decidedBy: z.enum(['policy', 'person']).nullable(),
  grade: Grade.nullable(),
  reasons: z.array(z.string()),
  /** The ids of the rules that decided, where any did; of an answer the one that it made, of `revoked` the one that is over. */
  rules: z.array(z.string()),
  /** The commands that a yes counted for, if more than this one. */
  scope: AskScope.nullable(),
  /** The author of the event; of a run, whose command it is. */
  ...Who,
  /** The person who said yes to a run or no to a command. */
  answeredBy: z.object(Who).nullable(),
  source: RunSource.nullable(),
  /** A run's end; `running` while nobody knows its end. */
  outcome: RunOutcome.or(z.literal('running')).nullable(),
  exit: z.number().int().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** Stands for a session whose log cannot be read from there on. */
export const AuditGap = z.object({ session: SessionId, kind: z.literal('unreadable') })
export type AuditGap = z.infer<typeof AuditGap>
