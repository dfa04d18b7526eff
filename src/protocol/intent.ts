import { z } from 'zod'
import { limits } from './limits.ts'
import { RunSource } from './run.ts'
import { AskId, IntentKey, Seq } from './seq.ts'
import { ApprovalMode, Title } from './session.ts'

/** Raw text as a person submitted it; the session routes it. `run` comes from a client's bash mode. */
export const Submit = z.strictObject({
  type: z.literal('submit'),
  text: z.string().max(limits.inputChars),
  as: z.enum(['auto', 'run', 'text']).default('auto'),
  /** How long a command may be silent before it is stopped; 0 = for ever. Default: as configured. */
  timeoutMs: z.number().int().min(0).optional(),
  key: IntentKey.optional(),
})
export type Submit = z.infer<typeof Submit>

/** A one-shot command in a folder of the team’s, as `/shell` gives it but already parsed. */
export const Shell = z.strictObject({
  type: z.literal('shell'),
  command: z.string().max(limits.commandBytes),
  /** Of the team; default: the first one, else the team’s own folder. */
  repo: z.string().nullish(),
  /** Relative to the repo. */
  cwd: z.string().nullish(),
  timeoutMs: z.number().int().min(0).optional(),
  source: RunSource.extract(['slash', 'api', 'mcp', 'acp']).default('api'),
  key: IntentKey.optional(),
})
export type Shell = z.infer<typeof Shell>

export const Answer = z.strictObject({
  type: z.literal('answer'),
  ask: AskId,
  outcome: z.enum(['allow', 'deny']),
  /** Run this instead of what was proposed. */
  command: z.string().min(1).max(limits.commandBytes).optional(),
  word: z.string().max(limits.wordChars).optional(),
})
export type Answer = z.infer<typeof Answer>

/** End the turn; a run of the model's is stopped with it. */
export const Abort = z.strictObject({ type: z.literal('abort') })
export type Abort = z.infer<typeof Abort>

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
export type Adopt = z.infer<typeof Adopt>

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
})
export type EditQueued = z.infer<typeof EditQueued>

export const Update = z.strictObject({
  type: z.literal('update'),
  title: Title.optional(),
  approval: ApprovalMode.optional(),
  private: z.boolean().optional(),
})
export type Update = z.infer<typeof Update>

/** What a client may ask of a session; the answer is events or a refusal. */
export const Intent = z.discriminatedUnion('type', [
  Submit,
  Shell,
  Answer,
  Abort,
  Interrupt,
  Keep,
  Adopt,
  Drive,
  Withdraw,
  EditQueued,
  Update,
])
export type Intent = z.infer<typeof Intent>
