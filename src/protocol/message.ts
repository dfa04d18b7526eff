import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Seq } from './seq.ts'
import { Usage, Witness } from './turn.ts'

export const MessagePart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('blob'), blob: z.string(), mediaType: z.string() }),
])
export type MessagePart = z.infer<typeof MessagePart>

/** A native call as the provider sent it: replayed to that provider, never reshaped. */
export const RawCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.string(),
  opaque: z.string().optional(),
})
export type RawCall = z.infer<typeof RawCall>

/** Why a reply ended. Only `done` runs anything. */
export const Stop = z.enum(['done', 'aborted', 'failed', 'length', 'lost'])
export type Stop = z.infer<typeof Stop>

const UserMessage = z.object({
  ...eventBase,
  type: z.literal('message'),
  role: z.literal('user'),
  parts: z.array(MessagePart),
  inContext: z.boolean(),
  /** Written by us on the person's behalf (facts about the world), not typed. */
  synthetic: z.boolean(),
})

const AssistantMessage = z.object({
  ...eventBase,
  type: z.literal('message'),
  role: z.literal('assistant'),
  /** Byte for byte as streamed; tags stay where the model wrote them. */
  parts: z.array(MessagePart),
  step: Seq.nullable(),
  stop: Stop,
  calls: z.array(RawCall),
  /** Kept here until the step's own end repeats it: its calls may take hours, or a restart. */
  usage: Usage,
  witness: Witness,
  inContext: z.boolean(),
  synthetic: z.boolean(),
})

export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage])
export type Message = z.infer<typeof Message>
