import { z } from 'zod'
import { At, Seq } from './seq.ts'
import { Usage, Witness } from './turn.ts'

/** One request to the model: what of it had been sent before, and what the provider says it reused. */
export const CachedRequest = z.object({
  /** The `step_start`. */
  step: Seq,
  at: At,
  model: z.string(),
  /** Of the request, and of the part that the one before had too. */
  bytes: z.number().int().nonnegative(),
  /** Null while its reply is under way. */
  witness: Witness.nullable(),
  usage: Usage.nullable(),
})
export type CachedRequest = z.infer<typeof CachedRequest>

export const CacheReport = z.object({
  requests: z.array(CachedRequest),
  /** Requests that did not extend the one before within their epoch: there should be none. */
  broken: z.number().int().nonnegative(),
})
export type CacheReport = z.infer<typeof CacheReport>
