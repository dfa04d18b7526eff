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

const dollars = z.number().nonnegative()

/** US dollars for a million tokens of each kind, as `Usage` counts them. */
export const Price = z.object({
  input: dollars,
  output: dollars,
  /** Tokens of the input that the provider had in its cache, or put there; left out: as the rest of it. */
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
  /** A request with more input costs otherwise, and nobody here knows what. */
  upTo: z.number().int().positive().optional(),
})
export type Price = z.infer<typeof Price>

/** The use of one model: tokens as its provider counted them, and their price as far as it is known. */
export const Spent = z.object({
  model: z.string(),
  /** Replies, with all attempts at them. */
  replies: z.number().int().nonnegative(),
  usage: Usage,
  /** The sum of what has a price; null when nothing has. */
  usd: dollars.nullable(),
  /** Replies that were used and have no price. */
  unpriced: z.number().int().nonnegative(),
})
export type Spent = z.infer<typeof Spent>

/** The use of a session so far, and how full its model is. */
export const Meter = z.object({
  /** The tokens of the last request and its reply; null until a provider has counted some. */
  context: z.number().int().nonnegative().nullable(),
  /** The tokens that the model takes in all; null where nobody knows. */
  size: z.number().int().positive().nullable(),
  /** The price of the model that is talked to now. */
  price: Price.nullable(),
  /** By model, in the order of their first use. */
  spent: z.array(Spent),
})
export type Meter = z.infer<typeof Meter>

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
  /** US dollars; left out unless each of its replies has a price. */
  usd: dollars.optional(),
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
