import type { Message } from '../../src/protocol/events/message.ts'
import type { Usage } from '../../src/protocol/events/turn.ts'

interface ReplyFacts {
  name?: string
  at?: number
  /** The tokens of attempts that failed before. */
  retried?: Usage | undefined
}

/** A model's reply without words, which cost so much. */
export function replyOf(usage: Usage, { name = 'p/m', at = 1, retried }: ReplyFacts = {}) {
  return {
    v: 1,
    seq: 2,
    at,
    by: { kind: 'model', name },
    type: 'message',
    role: 'assistant',
    parts: [],
    step: 1,
    stop: 'done',
    usage,
    ...(retried && { retried }),
    witness: { prefixBytes: 0, ok: true },
    inContext: true,
    synthetic: false,
  } satisfies Extract<Message, { role: 'assistant' }>
}
