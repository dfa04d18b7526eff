import { z } from 'zod'
import { limits } from '../limits.ts'
import { eventBase } from './event-base.ts'
import { NewRule, RuleDraft } from './rule.ts'
import { AskId, Seq } from './seq.ts'
import { ShellSetting } from './shell.ts'

export const AskKind = z.enum(['approval', 'terminal_input', 'question'])
export type AskKind = z.infer<typeof AskKind>

/**
 * The reach of a command, from harmless to grave:
 * - `reads`: nothing is other than before
 * - `changes`: files of this folder, or the shell's own state
 * - `leaves`: other folders, the network, or code that nobody here has read
 * - `destroys`: hard to undo
 */
export const Grade = z.enum(['reads', 'changes', 'leaves', 'destroys'])
export type Grade = z.infer<typeof Grade>

/**
 * The commands that a yes counts for: this one; also the rest of the reply, where each meets the state it was shown
 * for; what the offered rule covers, for the rest of the session or always in this folder; or all that asked only because
 * of the settings that the question shows, while this shell has them.
 */
export const AskScope = z.enum(['once', 'reply', 'session', 'folder', 'shell'])
export type AskScope = z.infer<typeof AskScope>

/** The rule that a yes can make, as it would be kept. */
export const AskOffer = z.object({
  /** In a person's words: «`npm install` with any packages, in this folder». */
  words: z.string(),
  rule: RuleDraft.optional(),
})
export type AskOffer = z.infer<typeof AskOffer>

/** The part of a command that a reason is of, where the command has others, and the real places that it is about. */
export const AskCause = z.object({
  /** One of the reasons. */
  reason: z.string(),
  /** The part as it is written. */
  part: z.string().optional(),
  /** Paths without links, some of them where there are many. */
  targets: z.array(z.string()).optional(),
})
export type AskCause = z.infer<typeof AskCause>

/** The policy's word on a command that nobody was asked about: why it ran, or why it did not. */
export const StoredVerdict = z.object({
  decision: z.enum(['allow', 'deny']),
  grade: Grade.optional(),
  reasons: z.array(z.string()),
  /** The ids of the rules that allowed or denied it, where any did. */
  rules: z.array(z.string()).optional(),
})
export type StoredVerdict = z.infer<typeof StoredVerdict>

export const ElicitationRequest = z.object({
  ...eventBase,
  type: z.literal('elicitation_request'),
  ask: AskId,
  kind: AskKind,
  /** The call that waits for the answer. */
  request: Seq,
  command: z.string(),
  /** The command without its wrappers, as it would really run. */
  effective: z.string(),
  reasons: z.array(z.string()),
  /** More about some of the reasons. */
  causes: z.array(AskCause).optional(),
  /** The reach of the command; none where nobody can say, and for what is no command. */
  grade: Grade.optional(),
  /** The rule that a yes can make for the one part that asks; none where no rule may be made. */
  offer: AskOffer.optional(),
  /** The settings of the shell that are all it asks for, where a person may take them as they are. */
  settings: z.array(ShellSetting).optional(),
  cwd: z.string().nullable(),
  /** The stamp it was judged at: a yes counts only where, and in the state in which, it was judged. */
  generation: z.number().int().nonnegative(),
  /** The shell's last mark when it was judged: after another one it is not where it was. */
  mark: z.number().int().nonnegative().optional(),
  /** The same for two states of the shell in which the command means the same; none where it could not be told. */
  fingerprint: z.string().optional(),
})
export type ElicitationRequest = z.infer<typeof ElicitationRequest>

/** `void`: nobody answered; what it was about ended, or has to be asked anew. */
export const AskOutcome = z.enum(['allow', 'deny', 'void'])
export type AskOutcome = z.infer<typeof AskOutcome>

export const ElicitationResponse = z.object({
  ...eventBase,
  type: z.literal('elicitation_response'),
  ask: AskId,
  /** The `elicitation_request`. */
  request: Seq,
  outcome: AskOutcome,
  /** For more than this one command. */
  scope: AskScope.exclude(['once']).optional(),
  /** The command as the person edited it, if they did; of a void yes it is what is asked about anew. */
  command: z.string().optional(),
  /** The rule that the yes made, for the scope of a session or a folder. */
  rule: NewRule.optional(),
  /** The settings that the person takes as they are, for the scope of a shell: exactly those that were shown. */
  settings: z.array(ShellSetting).optional(),
  /**
   * The shell has changed since the command was judged, so it is judged anew. A void yes is asked for again; the others
   * count where the command still means the same.
   */
  moved: z.literal(true).optional(),
  /** The person's word to the model with a no. */
  word: z.string().max(limits.wordChars).optional(),
})
export type ElicitationResponse = z.infer<typeof ElicitationResponse>
