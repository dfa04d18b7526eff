import { z } from 'zod'
import { ApprovalMode } from './events/approval-mode.ts'

const Pattern = z.string().min(1).max(1_000)
const Reason = z.string().trim().min(1).max(1_000)

/** A rule about calls of a program. In a pattern `*` stands for any letters. */
const CallRule = z.strictObject({
  /** The name of the program, without a folder. */
  program: Pattern,
  /** Patterns for its first words, in order; none: whatever they are. */
  words: z.array(Pattern).max(100).optional(),
  /** Patterns of which each has to meet a word, anywhere. */
  contains: z.array(Pattern).max(100).optional(),
  /** Shown to people and to the model. */
  reason: Reason,
})
export type CallRule = z.infer<typeof CallRule>

/** The rules of an organisation, `/etc/tandem/policy.json`. They only tighten. */
export const Organisation = z.strictObject({
  $schema: z.string().optional(),
  /** The widest mode that a session may be in. */
  maxMode: z.strictObject({ mode: ApprovalMode, reason: Reason }).optional(),
  /** Never runs for a model. */
  deny: z.array(CallRule).max(10_000).optional(),
  /** Always asks. */
  ask: z.array(CallRule).max(10_000).optional(),
})
export type Organisation = z.infer<typeof Organisation>
