import { z } from 'zod'
import { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import { AskCause, Grade } from '../../../protocol/events/ask.ts'
import { Rule } from '../../../protocol/events/rule.ts'
import { Organisation } from '../../../protocol/organisation.ts'
import type { ProcessLimitsOptions } from '../../process/process-limits.ts'
import { verdictsAfter } from './verdicts-after.ts'

/** Commands to be explained after others, and all that has to be known about the place. */
export const InsideRequest = z.object({
  pre: z.array(z.string()),
  commands: z.array(z.object({ command: z.string(), mode: ApprovalMode })),
  place: z.object({
    config: z.object({
      shell: z.string(),
      shellEnv: z.record(z.string(), z.string()),
      startMs: z.number(),
      processLimits: z.custom<ProcessLimitsOptions>((value) => value instanceof Object),
    }),
    workspace: z.string(),
    isTrusted: z.boolean(),
    rules: z.array(Rule),
    organisation: Organisation.nullable(),
    holderEntry: z.string(),
  }),
})
export type InsideRequest = z.infer<typeof InsideRequest>

export const InsideAnswer = z.array(
  z.object({
    decision: z.enum(['allow', 'ask', 'deny']),
    grade: Grade.nullable(),
    reasons: z.array(z.string()),
    effective: z.string(),
    causes: z.array(AskCause).optional(),
  }),
)
export type InsideAnswer = z.infer<typeof InsideAnswer>

/** Explains in the world that this process is in: the commands before may change all of it. */
export async function explainInside(text: string): Promise<string> {
  const { pre, commands, place } = InsideRequest.parse(JSON.parse(text))
  return JSON.stringify(await verdictsAfter(pre, commands, place))
}
