import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Seq } from './seq.ts'

export const Usage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative(),
  cacheWrite: z.number().int().nonnegative(),
})
export type Usage = z.infer<typeof Usage>

/** The check that a request extends the last one. */
export const Witness = z.object({
  prefixBytes: z.number().int().nonnegative(),
  ok: z.boolean(),
  firstDifference: z.string().optional(),
})
export type Witness = z.infer<typeof Witness>

export const AgentStart = z.object({
  ...eventBase,
  type: z.literal('agent_start'),
  /** The prompt, queued input or answer that the turn is about. */
  trigger: Seq,
  /** Its reply is the summary that a new session begins with. */
  purpose: z.literal('compact').optional(),
})
export type AgentStart = z.infer<typeof AgentStart>

export const TurnEnd = z.enum([
  'done',
  'aborted',
  'failed',
  'step_limit',
  'context_full',
  'declined',
])
export type TurnEnd = z.infer<typeof TurnEnd>

export const AgentEnd = z.object({
  ...eventBase,
  type: z.literal('agent_end'),
  turn: Seq,
  reason: TurnEnd,
  steps: z.number().int().nonnegative(),
  usage: Usage,
})
export type AgentEnd = z.infer<typeof AgentEnd>

/** The request as it was before sending, without cache marks: a later one is held against it. */
export const RequestMeasure = z.object({
  bytes: z.number().int().nonnegative(),
  hash: z.string(),
  /** A short hash of each message that is new in it, to tell which one differs later. */
  added: z.array(z.string()).default([]),
})
export type RequestMeasure = z.infer<typeof RequestMeasure>

export const StepStart = z.object({
  ...eventBase,
  type: z.literal('step_start'),
  turn: Seq,
  /** 1 for the turn's first. */
  step: z.number().int().positive(),
  /** The seqs that enter the conversation now, in this order. Nothing else ever does. */
  takes: z.array(Seq),
  request: RequestMeasure,
})
export type StepStart = z.infer<typeof StepStart>

export const StepEnd = z.object({
  ...eventBase,
  type: z.literal('step_end'),
  /** The `step_start`. */
  start: Seq,
  hasMoreCommands: z.boolean(),
  usage: Usage,
  witness: Witness,
})
export type StepEnd = z.infer<typeof StepEnd>
