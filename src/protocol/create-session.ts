import { z } from 'zod'
import { ApprovalMode, TeamName, Title } from './session.ts'

export const CreateSession = z.strictObject({
  /** An existing absolute folder. */
  workspace: z.string().min(1).max(4_096),
  team: TeamName.default('default'),
  title: Title.optional(),
  /** Default: what the configuration says, `guarded` if nothing. */
  approval: ApprovalMode.optional(),
})
export type CreateSession = z.infer<typeof CreateSession>
