import { type BlockDelta, BlockStart, type StreamEvent } from './anthropic-event.ts'
import type { ReplyDelta } from './model.ts'
import type { Opaque } from './wire/anthropic.ts'

/** One block of a reply after the other: text and thoughts as they come, the rest at its end. */
export interface BlockReader {
  read(event: StreamEvent): readonly ReplyDelta[]
  /** Characters that have come and are not given out yet. */
  held(): number
}

const none: BlockStart = BlockStart.parse({ type: 'none' })

export function createBlockReader(): BlockReader {
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
    read(event) {
      if (event.type === 'content_block_start') return start(event.content_block)
      if (event.type === 'content_block_delta') return add(event.delta)
      if (event.type !== 'content_block_stop') return []
      const deltas = close()
      reset(none)
      return deltas
    },
    held: () => args.length + signature.length,
  }
}
