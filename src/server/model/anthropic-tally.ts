import type { Usage } from '../../protocol/turn.ts'
import type { Counts, Ending, StreamEvent } from './anthropic-event.ts'
import { ModelError } from './model.ts'
import { errorCode, passes } from './post.ts'

/** What is said about a reply beside its blocks: what it cost, and how it ended. */
export interface Tally {
  /** Throws when the reply has failed. */
  hear(event: StreamEvent): void
  /** Null until the message has come to its end. */
  stop(): 'done' | 'length' | null
  usage(): Usage
}

export function createTally(who: string): Tally {
  let counts: Counts = {}
  let reason: 'done' | 'length' | null = null
  let isOver = false

  return {
    hear(event) {
      if (event.type === 'error') throw streamError(who, event.error)
      if (event.type === 'message_start') counts = latest(counts, event.message.usage)
      if (event.type === 'message_stop') isOver = true
      if (event.type !== 'message_delta') return
      counts = latest(counts, event.usage)
      reason = stopOf(event.delta) ?? reason
    },
    stop: () => (isOver ? reason : null),
    usage() {
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

/** A reason that is not known here ends in an error: only a reply that is whole runs anything. */
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
    case 'refusal': {
      const why = details?.explanation || 'it gave no reason'
      throw new ModelError(`The model would not answer: ${why}`, { code: 'model_refused' })
    }
    case 'model_context_window_exceeded':
      throw new ModelError('The conversation has filled the model’s context window.', {
        code: 'context_full',
      })
    default:
      throw new ModelError(`The model stopped for a reason that is not known here: ${reason}`, {
        code: 'model_failed',
      })
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

function streamError(
  who: string,
  { type, message }: { type: string; message: string },
): ModelError {
  const status = statuses.get(type) ?? 500
  return new ModelError(`${who} broke off: ${message.slice(0, 500)}`, {
    code: errorCode(status, message),
    transient: passes(status),
  })
}
