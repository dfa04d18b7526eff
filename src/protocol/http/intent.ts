import { z } from 'zod'
import { longestMs } from '../../base/parse-time.ts'
import { AskScope } from '../events/ask.ts'
import { RuleId } from '../events/rule.ts'
import { RunSource } from '../events/run.ts'
import { AskId, IntentKey, Seq } from '../events/seq.ts'
import { ApprovalMode } from '../events/approval-mode.ts'
import { Title } from '../events/session.ts'
import { limits } from '../limits.ts'

/** The way a text is submitted: that decides what it means, and so what completes it. */
export const SubmitAs = z.enum(['auto', 'run', 'text'])
export type SubmitAs = z.infer<typeof SubmitAs>

/** A person said that it is no password, though what stands in the terminal looks like a question for one. */
const NotSecret = z.boolean()

/** Raw text as a person submitted it; the session routes it. `run` comes from a client's bash mode. */
export const Submit = z.strictObject({
  type: z.literal('submit'),
  text: z.string().max(limits.inputChars),
  as: SubmitAs.default('auto'),
  /** The silence after which a command is stopped; 0 = never. Default: as configured. */
  timeoutMs: z.number().int().min(0).max(longestMs).optional(),
  notSecret: NotSecret.optional(),
  key: IntentKey.optional(),
})
export type Submit = z.infer<typeof Submit>

/** A one-shot command in a folder of the team’s, as `/shell` gives it but already parsed. */
export const Shell = z.strictObject({
  type: z.literal('shell'),
  command: z.string().max(limits.commandBytes),
  /** A repo of the team; default: the first one, else the team’s own folder. */
  repo: z.string().nullish(),
  /** Relative to the repo. */
  cwd: z.string().nullish(),
  timeoutMs: z.number().int().min(0).max(longestMs).optional(),
  source: RunSource.extract(['slash', 'api', 'mcp', 'acp']).default('api'),
  key: IntentKey.optional(),
})
export type Shell = z.infer<typeof Shell>

export const Answer = z.strictObject({
  type: z.literal('answer'),
  ask: AskId,
  outcome: z.enum(['allow', 'deny']),
  /** The commands that a yes counts for; only this one by default. */
  scope: AskScope.optional(),
  /** Run this instead of what was proposed. */
  command: z.string().min(1).max(limits.commandBytes).optional(),
  word: z.string().max(limits.wordChars).optional(),
})
export type Answer = z.infer<typeof Answer>

/** End the turn; a run of the model's is stopped with it. */
export const Abort = z.strictObject({ type: z.literal('abort') })

/** Signal the foreground run only; the turn goes on. */
export const Interrupt = z.strictObject({
  type: z.literal('interrupt'),
  signal: z.enum(['int', 'term', 'kill', 'restart']).default('int'),
})
export type Interrupt = z.infer<typeof Interrupt>

/** Let a person's command go on, however long it is silent. */
export const Keep = z.strictObject({ type: z.literal('keep') })
export type Keep = z.infer<typeof Keep>

/** Make the shell that reads in the terminal now the one that commands run in. */
export const Adopt = z.strictObject({ type: z.literal('adopt') })

/** Let the model go on from the last record, where one waits for that: the end of a history that a caller keeps. */
export const Proceed = z.strictObject({ type: z.literal('proceed') })

/** Take over the keyboard, or hand it back to the model. */
export const Drive = z.strictObject({
  type: z.literal('drive'),
  driver: z.enum(['person', 'model']),
})
export type Drive = z.infer<typeof Drive>

/** Take back something that waits: queued text, or a call that has not started. */
export const Withdraw = z.strictObject({ type: z.literal('withdraw'), seq: Seq })
export type Withdraw = z.infer<typeof Withdraw>

export const EditQueued = z.strictObject({
  type: z.literal('edit_queued'),
  seq: Seq,
  text: z.string().max(limits.inputChars),
  notSecret: NotSecret.optional(),
})
export type EditQueued = z.infer<typeof EditQueued>

export const Update = z.strictObject({
  type: z.literal('update'),
  title: Title.optional(),
  approval: ApprovalMode.optional(),
  private: z.boolean().optional(),
  /** A rule of the session that shall count no longer, or the settings of its shell that a person took as they are. */
  revoke: RuleId.or(z.literal('settings')).optional(),
})
export type Update = z.infer<typeof Update>

/** A client's request to a session; the answer is events or a refusal. */
export const Intent = z.discriminatedUnion('type', [
  Submit,
  Shell,
  Answer,
  Abort,
  Interrupt,
  Keep,
  Adopt,
  Proceed,
  Drive,
  Withdraw,
  EditQueued,
  Update,
])
export type Intent = z.infer<typeof Intent>
