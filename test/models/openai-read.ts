import { createReplyAssembly } from '../../src/server/model/assemble-reply.ts'
import type { ReplyPart } from '../../src/protocol/events/message.ts'
import { type Model, ModelError, type ReplyDelta } from '../../src/server/model/model.ts'
import { wireOf } from '../../src/server/model/wires.ts'

type End = Extract<ReplyDelta, { type: 'end' }>

export interface Read {
  parts: readonly ReplyPart[]
  end: Omit<End, 'type'> | null
  error: ModelError | null
}

/** Everything that one attempt gives, without trying again. */
export async function readAll(deltas: AsyncIterable<ReplyDelta>): Promise<Read> {
  const assembly = createReplyAssembly()
  try {
    for await (const delta of deltas) {
      if (delta.type === 'end') {
        const { type: _type, ...end } = delta
        return { parts: assembly.parts(), end, error: null }
      }
      assembly.add(delta)
    }
  } catch (error) {
    if (error instanceof ModelError) return { parts: assembly.parts(), end: null, error }
    throw error
  }
  throw new Error('neither an end nor an error')
}

/** One prompt, one reply. */
export function askOnce(model: Model): Promise<Read> {
  const { signal } = new AbortController()
  const parts = [{ kind: 'prompt', seq: 1, text: 'hello' }] as const
  const messages = wireOf(model.setup.adapter).taken(
    { kind: 'taken', seq: 2, parts, gap: false },
    model.setup,
  )
  return readAll(model.reply({ setup: model.setup, messages, sent: 0 }, { signal }))
}
