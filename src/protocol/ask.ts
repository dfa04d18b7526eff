import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { limits } from './limits.ts'
import { AskId, Seq } from './seq.ts'

export const AskKind = z.enum(['approval', 'terminal_input', 'question'])
export type AskKind = z.infer<typeof AskKind>

export const ElicitationRequest = z.object({
  ...eventBase,
  type: z.literal('elicitation_request'),
  ask: AskId,
  kind: AskKind,
  /** The call that waits for the answer. */
  request: Seq,
  command: z.string(),
  /** What would really run, once wrappers are taken off. */
  effective: z.string(),
  reasons: z.array(z.string()),
  cwd: z.string().nullable(),
  /** The stamp it was judged at: a yes counts only where, and in the state in which, it was judged. */
  generation: z.number().int().nonnegative(),
  /** The shell's last mark when it was judged: after another one it is not where it was. */
  mark: z.number().int().nonnegative().optional(),
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
  /** The command as the person edited it, if they did; of a void yes it is what is asked about anew. */
  command: z.string().optional(),
  /** Of a void yes: the shell has changed since it was judged, so it is judged anew. */
  moved: z.literal(true).optional(),
  /** What the person says to the model with a no. */
  word: z.string().max(limits.wordChars).optional(),
})
export type ElicitationResponse = z.infer<typeof ElicitationResponse>
