import {
  type BlockDelta,
  BlockStart,
  type Counts,
  type Ending,
  parseEvent,
  type StreamedError,
  type StreamEvent,
} from './event.ts'
import { cutOff, ModelError, refusal, type ReplyDelta, unknownReason } from '../model.ts'
import type { Opaque } from './wire.ts'
import type { Usage } from '../../../protocol/events/turn.ts'
import { errorCode, passes } from '../transport/post.ts'
import { limits } from '../../../protocol/limits.ts'

const none: BlockStart = BlockStart.parse({ type: 'none' })

/** One block of a reply after the other: text and thoughts as they come, the rest at its end. */
function createBlockReader() {
  let block = none
  let args = ''
  let signature = ''
  let shows = false

  function show(type: 'text' | 'thinking', text: string): readonly ReplyDelta[] {
    if (text === '') return []
    shows = true
    return [{ type, text }]
  }

  /** A thought without a word is one all the same. */
  function closeThought(opaque: Opaque): readonly ReplyDelta[] {
    const close: ReplyDelta = { type: 'close', opaque: JSON.stringify(opaque) }
    return shows ? [close] : [{ type: 'thinking', text: '' }, close]
  }

  function close(): readonly ReplyDelta[] {
    const { type, id, name, input, data } = block
    if (type === 'tool_use')
      return [{ type: 'call', id, name, args: args || JSON.stringify(input ?? {}) }]
    if (type === 'redacted_thinking') return closeThought({ redacted: data })
    if (type === 'thinking' && signature !== '') return closeThought({ signature })
    return shows ? [{ type: 'close' }] : []
  }

  function add(delta: BlockDelta): readonly ReplyDelta[] {
    const { type } = block
    if (type === 'text' || type === 'thinking') {
      signature += delta.signature
      return show(type, delta[type])
    }
    args += delta.partial_json
    return []
  }

  function reset(next: BlockStart): void {
    block = next
    args = ''
    signature = ''
    shows = false
  }

  function start(next: BlockStart): readonly ReplyDelta[] {
    reset(next)
    const { text, thinking, signature: given } = next
    return add({ text, thinking, signature: given, partial_json: '' })
  }

  return {
    read(event: StreamEvent): readonly ReplyDelta[] {
      if (event.type === 'content_block_start') return start(event.content_block)
      if (event.type === 'content_block_delta') return add(event.delta)
      if (event.type !== 'content_block_stop') return []
      const deltas = close()
      reset(none)
      return deltas
    },
    /** Characters that have come and are not given out yet. */
    held: () => args.length + signature.length,
  }
}

/** Facts about a reply beside its blocks: usage, and how it ended. */
function createTally(who: string) {
  let counts: Counts = {}
  let reason: 'done' | 'length' | null = null
  let isOver = false

  return {
    /** Throws when the reply has failed. */
    hear(event: StreamEvent): void {
      if (event.type === 'error') throw streamError(who, event.error)
      if (event.type === 'message_start') counts = latest(counts, event.message.usage)
      if (event.type === 'message_stop') isOver = true
      if (event.type !== 'message_delta') return
      counts = latest(counts, event.usage)
      reason = stopOf(event.delta) ?? reason
    },
    /** Null until the message has come to its end. */
    stop: () => (isOver ? reason : null),
    usage(): Usage {
      const cacheRead = counts.cache_read_input_tokens ?? 0
      const cacheWrite = counts.cache_creation_input_tokens ?? 0
      const input = (counts.input_tokens ?? 0) + cacheRead + cacheWrite
      return { input, output: counts.output_tokens ?? 0, cacheRead, cacheWrite }
    },
  }
}

/** Numbers that come again count from the reply’s beginning. */
function latest(before: Counts, now: Counts | undefined): Counts {
  const said = Object.entries(now ?? {}).filter(([, value]) => typeof value === 'number')
  return { ...before, ...Object.fromEntries(said) }
}

function stopOf({ stop_reason: reason, stop_details: details }: Ending): 'done' | 'length' | null {
  switch (reason) {
    case null:
    case undefined:
      return null
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
    case 'pause_turn':
      return 'done'
    case 'max_tokens':
      return 'length'
    case 'refusal':
      throw refusal(details?.explanation || 'it gave no reason')
    case 'model_context_window_exceeded':
      throw new ModelError('The conversation has filled the model’s context window.', {
        code: 'context_full',
      })
    default:
      throw unknownReason(reason)
  }
}

/** The status that each kind of error has when it comes instead of a stream. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

function streamError(who: string, { type, message }: StreamedError): ModelError {
  const status = statuses.get(type) ?? 500
  return new ModelError(`${who} broke off: ${message.slice(0, 500)}`, {
    code: errorCode(status, message),
    transient: passes(status),
  })
}

const counts = ({ type }: StreamEvent) => type === 'message_start' || type === 'message_delta'

/** A streamed reply, event by event. */
export async function* readAnthropic(
  events: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  const block = createBlockReader()
  const tally = createTally(who)
  for await (const data of events) {
    const event = parseEvent(data)
    tally.hear(event)
    if (counts(event)) yield { type: 'usage', usage: tally.usage() }
    yield* block.read(event)
    const stop = block.held() > limits.replyChars ? 'length' : tally.stop()
    if (stop !== null) return yield { type: 'end', stop, usage: tally.usage() }
  }
  throw cutOff()
}
