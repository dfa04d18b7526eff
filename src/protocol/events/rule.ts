import { z } from 'zod'
import { eventBase } from './event-base.ts'

/** Short enough to be typed, random enough to be one of a few hundred. */
export const RuleId = z.string().regex(/^rule-[0-9a-f]{8}$/, 'not a rule such as rule-0a1b2c3d')
export type RuleId = z.infer<typeof RuleId>

/** The effects that a standing yes may be given for: all others are asked about each time. */
export const RuleKind = z.enum(['write', 'network', 'code'])
export type RuleKind = z.infer<typeof RuleKind>

/** A standing yes to one simple command, before anybody has given it. */
export const RuleDraft = z.object({
  program: z.string(),
  /** The words behind the program, each exactly so; with `others` only the first ones. */
  args: z.array(z.string()),
  /** Plain names may follow them. */
  others: z.literal(true).optional(),
  /** The kinds of effects that it was asked about: it counts for no other. */
  kinds: z.array(RuleKind),
  /** The workspace, and the folder of the shell: it counts only in both. Links are followed. */
  folder: z.string(),
  cwd: z.string(),
  /** In a person's words. */
  words: z.string(),
  /** Commands that it has to cover, and others that it must not; one that fails them counts for nothing. */
  matches: z.array(z.string()),
  misses: z.array(z.string()),
})
export type RuleDraft = z.infer<typeof RuleDraft>

/** As a yes makes it: for the rest of the session, or always in its folder. */
export const NewRule = RuleDraft.extend({ id: RuleId, scope: z.enum(['session', 'folder']) })
export type NewRule = z.infer<typeof NewRule>

/** A standing yes, with who gave it and when. */
export const Rule = NewRule.extend({ by: eventBase.by, at: eventBase.at })
export type Rule = z.infer<typeof Rule>
