import type { Usage } from '../../../protocol/events/turn.ts'
import { cutOff, refusal, type ReplyDelta, unknownReason } from '../model.ts'
import { streamedError } from '../openai/error.ts'
import { type Ended, type Event, type Item, parseEvent, unreadable } from './event.ts'
import type { Opaque } from './wire.ts'

/** A streamed response as what it says. Without one of its proper ends it was cut off. */
export async function* readResponse(
  stream: AsyncIterable<string>,
  { who, model }: { who: string; model: string },
): AsyncIterable<ReplyDelta> {
  const reader = createItemReader(model)
  for await (const data of stream) {
    const event = parseEvent(data, who)
    if (event === null) continue
    if ('response' in event) {
      yield { type: 'usage', usage: usageOf(event.response) }
      yield ending(event, { who, refused: reader.refused() })
      return
    }
    yield* reader.deltas(event)
  }
  throw cutOff()
}

type Said = Exclude<Event, { response: Ended }>
type TextDelta = Extract<Said, { content_index: number }>
type ThinkingDelta = Extract<Said, { summary_index: number }>

/** Each item becomes its own part, in order; what is opaque is only for `model`, as the epoch names it. */
function createItemReader(model: string) {
  let refused = ''
  let hasText = false
  /** The piece of text or thought that is being sent. */
  let open: { type: 'text' | 'thinking'; index: number } | null = null

  function close(what: Omit<Opaque, 'model'>): ReplyDelta {
    open = null
    return { type: 'close', opaque: JSON.stringify({ model, ...what }) }
  }

  function* deltas(event: Said): Iterable<ReplyDelta> {
    switch (event.type) {
      case 'response.refusal.delta':
        refused += event.delta
        return
      case 'response.output_text.delta':
        yield* text(event)
        return
      case 'response.output_item.done':
        yield* done(event.item, event.output_index)
        return
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        yield* thinking(event)
    }
  }

  function* text(event: TextDelta): Iterable<ReplyDelta> {
    const { output_index: item, content_index: index, delta } = event
    // Another piece of the same message: it goes back as it came, not joined.
    if (open?.type === 'text' && open.index !== index) yield close({ item })
    open = { type: 'text', index }
    hasText = true
    yield { type: 'text', text: delta }
  }

  function* thinking({ summary_index: index, delta }: ThinkingDelta): Iterable<ReplyDelta> {
    const isNext = open?.type === 'thinking' && open.index !== index
    open = { type: 'thinking', index }
    yield { type: 'thinking', text: isNext ? `\n\n${delta}` : delta }
  }

  function* done(item: Item, index: number): Iterable<ReplyDelta> {
    if (item.type === 'function_call') yield* called(item)
    if (item.type === 'message') yield* message(item, index)
    if (item.type === 'reasoning' && item.encrypted_content) {
      // Often none of its words may be read.
      if (open?.type !== 'thinking') yield { type: 'thinking', text: '' }
      const { type, summary, encrypted_content } = item
      yield close({ reasoning: { type, summary: summary ?? [], encrypted_content } })
    }
  }

  function* message(item: Item, index: number): Iterable<ReplyDelta> {
    // A server that does not stream its texts has them here.
    const whole = hasText ? [] : texts(item)
    for (const one of whole) yield { type: 'text', text: one }
    if (open?.type !== 'text' && whole.length === 0) return
    yield close({ item: index, ...(item.phase && { phase: item.phase }) })
  }

  return { deltas, refused: () => refused }
}

function* called({ call_id: id, name, arguments: args }: Item): Iterable<ReplyDelta> {
  if (id && name != null) yield { type: 'call', id, name, args: args ?? '' }
}

function texts({ content }: Item): readonly string[] {
  return (content ?? []).flatMap(({ text }) => (text ? [text] : []))
}

function ending(
  { type, response }: Event & { response: Ended },
  { who, refused }: { who: string; refused: string },
): ReplyDelta {
  if (type === 'response.failed')
    throw streamedError(who, { error: response.error }) ?? unreadable(who)
  if (refused !== '') throw refusal(refused)
  const reason = response.incomplete_details?.reason
  if (reason === 'content_filter') throw refusal('its content filter stopped the reply')
  if (reason && reason !== 'max_output_tokens') throw unknownReason(reason)
  const stop = type === 'response.incomplete' ? 'length' : 'done'
  return { type: 'end', stop, usage: usageOf(response) }
}

function usageOf({ usage }: Ended): Usage {
  const input = usage?.input_tokens ?? 0
  const details = usage?.input_tokens_details
  return {
    input,
    output: usage?.output_tokens ?? 0,
    cacheRead: Math.min(details?.cached_tokens ?? 0, input),
    cacheWrite: details?.cache_write_tokens ?? 0,
  }
}
