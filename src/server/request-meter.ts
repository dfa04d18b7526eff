import { createHash, type Hash } from 'node:crypto'
import type { StepStart, Witness } from '../protocol/turn.ts'
import type { Conversation } from '../session/conversation.ts'

/** Measures each request in its canonical form: set-up, then one line a part, in order. */
export interface RequestMeter {
  /** Bytes and hash of the conversation as it is now. Costs only what is new since last time. */
  measure(conversation: Conversation): StepStart['request']
  /** Holds a replayed request against what was stored when it was sent. */
  check(conversation: Conversation, stored: StepStart['request']): void
  /** How the next request stands to the last. */
  witness(): Witness
}

export function createRequestMeter(): RequestMeter {
  let hash: Hash = createHash('sha256')
  let bytes = 0
  let parts = 0
  let setup: Conversation['setup'] = null
  let last = 0
  let difference: string | null = null

  function add(line: string): void {
    const encoded = Buffer.from(line)
    hash.update(encoded)
    bytes += encoded.length
  }

  function measure(conversation: Conversation): StepStart['request'] {
    if (conversation.setup !== setup) {
      // Another epoch: nothing before it has to be a prefix of what follows.
      hash = createHash('sha256')
      bytes = 0
      parts = 0
      last = 0
      setup = conversation.setup
      add(`${JSON.stringify(setup)}\n`)
    }
    last = parts === 0 ? 0 : bytes
    for (; parts < conversation.parts.length; parts++)
      add(`${JSON.stringify(conversation.parts[parts])}\n`)
    return { bytes, hash: hash.copy().digest('hex') }
  }

  return {
    measure,
    check(conversation, stored) {
      const now = measure(conversation)
      if (now.hash === stored.hash || difference !== null) return
      difference = `request of ${stored.bytes} bytes is rendered as ${now.bytes} other ones`
    },
    witness: () => ({
      prefixBytes: last,
      ok: difference === null,
      ...(difference !== null && { firstDifference: difference }),
    }),
  }
}
