import { z } from 'zod'
import { ModelError, parseJson } from '../model.ts'

const piece = z.string().default('')

/** Only its kind of something that is not known here: new ones may come at any time, and hold anything. */
const passedOver = (known: readonly string[]) =>
  z.object({ type: z.string() }).refine(({ type }) => !known.includes(type))

const Block = z.object({
  type: z.string(),
  text: piece,
  thinking: piece,
  signature: piece,
  /** A thought that is not shown. */
  data: piece,
  id: piece,
  name: piece,
  input: z.unknown().optional(),
})
const blocks = ['text', 'thinking', 'redacted_thinking', 'tool_use']

/** A block as it begins; some servers put all of it into its beginning. */
export const BlockStart = z.union([
  Block,
  passedOver(blocks).transform(({ type }) => Block.parse({ type })),
])
export type BlockStart = z.infer<typeof BlockStart>

const Piece = z.object({ text: piece, thinking: piece, signature: piece, partial_json: piece })
const pieces = ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta']
const BlockDelta = z.union([Piece, passedOver(pieces).transform(() => Piece.parse({}))])
export type BlockDelta = z.infer<typeof BlockDelta>

const count = z.number().int().nonnegative().nullish()
const Counts = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
})
export type Counts = z.infer<typeof Counts>

const Ending = z.object({
  stop_reason: z.string().nullish(),
  stop_details: z.object({ explanation: z.string().nullish() }).nullish(),
})
export type Ending = z.infer<typeof Ending>

const StreamedError = z.object({ type: z.string().catch('api_error'), message: z.string() })
export type StreamedError = z.infer<typeof StreamedError>

/** The block that an event is about; some servers leave it out, and have one block open at a time. */
const index = z.number().nullish().catch(null)

const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: Counts.optional() }) }),
  z.object({ type: z.literal('content_block_start'), index, content_block: BlockStart }),
  z.object({ type: z.literal('content_block_delta'), index, delta: BlockDelta }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.object({ type: z.literal('message_delta'), delta: Ending, usage: Counts.optional() }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('error'), error: StreamedError }),
  z.object({ type: z.literal('ping') }),
])
export type StreamEvent = z.infer<typeof StreamEvent>

const known: ReadonlySet<string> = new Set(StreamEvent.options.map(({ shape }) => shape.type.value))
const Named = z.object({ type: z.string() })
/** Its event is named `error`; servers that pass Anthropic on may leave the name out of the data. */
const AnyError = z.object({ type: z.literal('error').optional(), error: StreamedError })

export function errorIn(value: unknown): StreamedError | null {
  return AnyError.safeParse(value).data?.error ?? null
}

/** An event that is not known here is like a ping: new ones may come at any time. */
export function parseEvent(data: string): StreamEvent {
  const json = parseJson(data)
  const parsed = StreamEvent.safeParse(json)
  if (parsed.success) return parsed.data
  const named = Named.safeParse(json)
  if (named.success && !known.has(named.data.type)) return { type: 'ping' }
  const error = errorIn(json)
  if (error) return { type: 'error', error }
  throw new ModelError('The model server sent something that is not a message event.', {
    code: 'model_failed',
  })
}
