import { z } from 'zod'
import { limits, SessionLimits } from '../limits.ts'
import { ApprovalMode } from './approval-mode.ts'
import { eventBase } from './event-base.ts'
import { RuleId } from './rule.ts'
import { SessionId } from './seq.ts'

export const TeamName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not a team name')

export const Title = z.string().trim().min(1).max(limits.titleChars)

export const SessionStart = z.object({
  ...eventBase,
  type: z.literal('session_start'),
  team: TeamName,
  /** Root of trust, policy, skills and mentions; fixed for the session's life. */
  workspace: z.string().min(1),
  title: Title.nullable(),
  approval: ApprovalMode,
  /** False: nobody is there to be asked, so that whatever would ask is denied. Without it, as it once was: in `refuse`. */
  attended: z.boolean().optional(),
  /** It serves one call of a program that keeps the history itself: its log stays, but no list names it. */
  unlisted: z.literal(true).optional(),
  limits: SessionLimits,
})
export type SessionStart = z.infer<typeof SessionStart>

export const SessionUpdate = z.object({
  ...eventBase,
  type: z.literal('session_update'),
  title: Title.optional(),
  approval: ApprovalMode.optional(),
  private: z.boolean().optional(),
  /** The end of the byte log when `private` changed. */
  ptyAt: z.number().int().nonnegative().optional(),
  /** A rule of the session that counts no longer; `reply`: what was allowed in it and has not started; `settings`: those of the shell. */
  revoked: z.union([RuleId, z.literal('reply'), z.literal('settings')]).optional(),
  /** The next epoch is with this one. */
  model: z.string().optional(),
  /** It goes on in this session, which begins with a summary of this one. */
  next: SessionId.optional(),
})
export type SessionUpdate = z.infer<typeof SessionUpdate>
