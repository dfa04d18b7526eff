import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Seq } from './seq.ts'
import { Usage, Witness } from './turn.ts'

const blobRef = { blob: z.string(), mediaType: z.string() }

/** A picture, by the hash of its bytes. */
export const ImageRef = z.object(blobRef)
export type ImageRef = z.infer<typeof ImageRef>

export const MessagePart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('blob'), ...blobRef }),
])
export type MessagePart = z.infer<typeof MessagePart>

/**
 * A value that only its provider can read: a signature, an encrypted thought, an id. Kept as its
 * adapter wrote it down, and given back to that adapter alone.
 */
const opaque = z.string().optional()

/** A native call as the provider sent it. `args` is the raw argument text, even if it is no JSON. */
export const RawCall = z.object({
  type: z.literal('call'),
  id: z.string(),
  name: z.string(),
  args: z.string(),
  opaque,
})
export type RawCall = z.infer<typeof RawCall>

/** A reply in the order it was sent: replayed to the model as it is, never joined or reshaped. */
export const ReplyPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), opaque }),
  z.object({ type: z.literal('thinking'), text: z.string(), opaque }),
  RawCall,
])
export type ReplyPart = z.infer<typeof ReplyPart>

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
  /** The call of the reply before it that it answers, by the provider's id; in a history that a caller keeps. */
  answers: z.string().optional(),
  /** The model is to go on from it: such a history ends with a result. */
  thenTurn: z.literal(true).optional(),
})

const AssistantMessage = z.object({
  ...eventBase,
  type: z.literal('message'),
  role: z.literal('assistant'),
  /** Byte for byte as streamed; tags stay where the model wrote them. */
  parts: z.array(ReplyPart),
  step: Seq.nullable(),
  stop: Stop,
  /** Kept here until the step's own end repeats it: its calls may take hours, or a restart. */
  usage: Usage,
  /** The tokens of attempts that failed before this one; left out: none, or none that a provider reported. */
  retried: Usage.optional(),
  /** How long the model thought; left out when it did not, or nobody measured it. */
  thoughtMs: z.number().int().nonnegative().optional(),
  witness: Witness,
  inContext: z.boolean(),
  synthetic: z.boolean(),
  /** The model that said it, and the adapter that reads its opaque parts; in a history that a caller keeps. */
  origin: z.object({ model: z.string(), adapter: z.string() }).optional(),
})

export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage])
export type Message = z.infer<typeof Message>

/** The text of a message, joined; thoughts and calls have their own places. */
export function textOf(parts: readonly (MessagePart | ReplyPart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The thoughts of a reply that can be read, each in a paragraph of its own. */
export function thoughtsOf(parts: readonly ReplyPart[]): string {
  const thoughts = parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : []))
  return thoughts.filter((text) => text !== '').join(betweenThoughts)
}

export const betweenThoughts = '\n\n'

/** "Thought for 12 s"; of some it is only known that they were. */
export function thoughtWords(ms: number | null): string {
  if (ms === null) return 'Thought'
  return ms < 1_000 ? 'Thought for a moment' : `Thought for ${seconds(ms)}`
}

/** "12 s", "2 min 05 s". */
export function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1_000))
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
