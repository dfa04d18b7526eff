import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { limits, SessionLimits } from './limits.ts'
import { SessionId } from './seq.ts'

/**
 * What a model's command needs before it runs. `refuse` is for sessions nobody attends: whatever
 * would ask is denied, with the reason as a word to the model.
 */
export const ApprovalMode = z.enum(['ask-all', 'guarded', 'trusted-session', 'refuse'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

export const TeamName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not a team name')
export type TeamName = z.infer<typeof TeamName>

export const Title = z.string().trim().min(1).max(limits.titleChars)

export const SessionStart = z.object({
  ...eventBase,
  type: z.literal('session_start'),
  team: TeamName,
  /** Root of trust, policy, skills and mentions; fixed for the session's life. */
  workspace: z.string().min(1),
  title: Title.nullable(),
  approval: ApprovalMode,
  limits: SessionLimits,
})
export type SessionStart = z.infer<typeof SessionStart>

export const SessionUpdate = z.object({
  ...eventBase,
  type: z.literal('session_update'),
  title: Title.optional(),
  approval: ApprovalMode.optional(),
  private: z.boolean().optional(),
  /** Where the byte log ended when `private` changed. */
  ptyAt: z.number().int().nonnegative().optional(),
  /** The next epoch is with this one. */
  model: z.string().optional(),
  /** It goes on in this session, which begins with a summary of this one. */
  next: SessionId.optional(),
})
export type SessionUpdate = z.infer<typeof SessionUpdate>
