import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Price } from './turn.ts'

/** The way a model asks for commands: tags in its text, or the provider's native calls. */
export const Dialect = z.enum(['tags', 'tools'])
export type Dialect = z.infer<typeof Dialect>

export const Tool = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema, kept as the exact text that is sent. */
  parameters: z.string(),
})
export type Tool = z.infer<typeof Tool>

/** Everything about a model that shapes a request before the conversation begins. */
export const ModelSetup = z.object({
  /** `provider/name`, as a person picks it. */
  model: z.string().min(1).max(200),
  /** The wire shape; old ones stay in the code so that recorded requests can be reproduced. */
  adapter: z.string().min(1).max(50),
  dialect: Dialect,
  system: z.string(),
  tools: z.array(Tool),
  renderVersion: z.number().int().positive(),
  /** Media types of the pictures that the model takes; left out: none. */
  images: z.array(z.string()).optional(),
  /** The tokens that a whole request, and a reply, may have, as the provider's list said; left out: not known. */
  contextTokens: z.number().int().positive().optional(),
  outputTokens: z.number().int().positive().optional(),
  /** The price as it was when the epoch began; left out: not known. */
  price: Price.optional(),
  /** The version of the adapter's shape; left out: the first, in which every request of the epoch is written. */
  wireVersion: z.number().int().positive().optional(),
  /** The thoughts that the model is asked for; left out: as it does by itself. */
  thinking: z.literal('summarized').optional(),
})
export type ModelSetup = z.infer<typeof ModelSetup>

/** Whether a server that takes the one takes the other: turns that alternate are only a stricter shape. */
export function isSameProtocol(
  one: Pick<ModelSetup, 'adapter'>,
  other: Pick<ModelSetup, 'adapter'>,
): boolean {
  return one.adapter.replace(/-strict$/, '') === other.adapter.replace(/-strict$/, '')
}

/** A stretch of the session with one frozen model set-up; prefix rules hold within it. */
export const EpochStart = z.object({
  ...eventBase,
  type: z.literal('epoch_start'),
  ...ModelSetup.shape,
})
