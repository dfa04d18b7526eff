import {
  type Counts,
  type Ending,
  errorIn,
  parseEvent,
  type StreamedError,
  type StreamEvent,
} from './event.ts'
import { createBlocks } from './blocks.ts'
import { cutOff, ModelError, refusal, type ReplyDelta, unknownReason } from '../model.ts'
import type { Usage } from '../../../protocol/events/turn.ts'
import { errorCode, passes } from '../transport/post.ts'
import { limits } from '../../../protocol/limits.ts'

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

/** An answer that is an error in one piece, or null. */
export function anthropicError(who: string, value: unknown): ModelError | null {
  const error = errorIn(value)
  return error && streamError(who, error)
}

const counts = ({ type }: StreamEvent) => type === 'message_start' || type === 'message_delta'

/** A streamed reply, event by event. */
export async function* readAnthropic(
  events: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  const blocks = createBlocks()
  const tally = createTally(who)
  for await (const data of events) {
    const event = parseEvent(data)
    tally.hear(event)
    if (counts(event)) yield { type: 'usage', usage: tally.usage() }
    yield* blocks.read(event)
    const stop = blocks.held() > limits.replyChars ? 'length' : tally.stop()
    if (stop === null) continue
    yield* blocks.end()
    return yield { type: 'end', stop, usage: tally.usage() }
  }
  throw cutOff()
}
