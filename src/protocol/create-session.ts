import { z } from 'zod'
import { SessionId } from './seq.ts'
import { ApprovalMode, TeamName, Title } from './session.ts'

export const CreateSession = z.strictObject({
  /** An existing absolute folder. */
  workspace: z.string().min(1).max(4_096),
  team: TeamName.default('default'),
  title: Title.optional(),
  /** Default: what the configuration says, `guarded` if nothing. */
  approval: ApprovalMode.optional(),
  /** Takes the live terminal of this session over, if it has one: shell, jobs and screen go on here. */
  terminalFrom: SessionId.optional(),
})
export type CreateSession = z.infer<typeof CreateSession>
