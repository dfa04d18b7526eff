import { z } from 'zod'
import { CallMeta, eventBase } from './event-base.ts'
import { RunRequest } from './run.ts'
import { Seq } from './seq.ts'
import { TerminalAct } from './terminal-act.ts'

/** A call: what someone asked to be done, answered exactly once. */
export const ToolRequest = z.object({
  ...eventBase,
  type: z.literal('tool_request'),
  meta: CallMeta,
  name: z.string(),
  /** As sent: the tag's text, the provider's raw argument string, or a person's raw input. */
  args: z.string(),
  /** Its place among the calls of its reply. */
  index: z.number().int().nonnegative(),
  /** The `step_start` whose reply made it; null when a person did. */
  step: Seq.nullable(),
  /** The provider's id for it, in the tools dialect. */
  callId: z.string().optional(),
  run: RunRequest.optional(),
  act: TerminalAct.optional(),
})
export type ToolRequest = z.infer<typeof ToolRequest>

export const CallStatus = z.enum([
  'done',
  'error',
  'cancelled',
  'timeout',
  'denied',
  'skipped',
  'waiting',
  'busy',
  'lost',
])
export type CallStatus = z.infer<typeof CallStatus>

export const ToolResponse = z.object({
  ...eventBase,
  type: z.literal('tool_response'),
  meta: CallMeta,
  request: Seq,
  status: CallStatus,
  /** The whole record as the model reads it, rendered once and frozen. Never a private output. */
  content: z.string(),
  inContext: z.boolean(),
})
export type ToolResponse = z.infer<typeof ToolResponse>
