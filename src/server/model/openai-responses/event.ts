import { z } from 'zod'
import { ModelError, parseJson } from '../model.ts'
import { streamedError } from '../openai/error.ts'

const Tokens = z.number().int().nonnegative().nullish().catch(null)

const Item = z.object({
  type: z.string(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  summary: z.array(z.unknown()).nullish(),
  encrypted_content: z.string().nullish(),
  phase: z.string().nullish(),
  content: z.array(z.object({ text: z.string().nullish() })).nullish(),
})
export type Item = z.infer<typeof Item>

const Ended = z.object({
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z
    .object({
      input_tokens: Tokens,
      output_tokens: Tokens,
      input_tokens_details: z
        .object({ cached_tokens: Tokens, cache_write_tokens: Tokens })
        .nullish(),
    })
    .nullish(),
})
export type Ended = z.infer<typeof Ended>

const thoughts = ['response.reasoning_summary_text.delta', 'response.reasoning_text.delta'] as const
const ends = ['response.completed', 'response.incomplete', 'response.failed'] as const

/** Only what is read; of the many events most only repeat others. */
const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('response.output_text.delta'),
    output_index: z.number().default(0),
    content_index: z.number().default(0),
    delta: z.string(),
  }),
  z.object({ type: z.enum(thoughts), summary_index: z.number().default(0), delta: z.string() }),
  z.object({ type: z.literal('response.refusal.delta'), delta: z.string() }),
  z.object({
    type: z.literal('response.output_item.done'),
    output_index: z.number().default(0),
    item: Item,
  }),
  z.object({ type: z.enum(ends), response: Ended }),
])
const items: readonly string[] = ['message', 'reasoning', 'function_call']
export type Event = z.infer<typeof Event>

const read: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.output_item.done',
  ...thoughts,
  ...ends,
])

const Typed = z.object({ type: z.string() })

/** Null for what says nothing that is read here. */
export function parseEvent(data: string, who: string): Event | null {
  // A bare word is a sign of life, or of an end that the events have told: `ping`, `[DONE]`.
  if (/^\[?[a-z]+\]?$/i.test(data)) return null
  const value = parseJson(data)
  const typed = Typed.safeParse(value)
  if (!typed.success) throw unreadable(who)
  const { type } = typed.data
  if (type === 'error') throw streamedError(who, value) ?? unreadable(who)
  if (!read.has(type)) return null
  if (isOddItem(value)) return null
  const parsed = Event.safeParse(value)
  if (parsed.success) return parsed.data
  throw unreadable(who)
}

const WithItem = z.object({ item: z.object({ type: z.string() }) })

/** New kinds of items may come at any time, and hold anything. */
function isOddItem(value: unknown): boolean {
  const parsed = WithItem.safeParse(value)
  return parsed.success && !items.includes(parsed.data.item.type)
}

export function unreadable(who: string): ModelError {
  return new ModelError(`${who} sent something that is not an event of a response.`, {
    code: 'model_failed',
  })
}
