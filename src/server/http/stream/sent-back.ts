import type { AgentMessage } from '../../../protocol/http/agent-route.ts'
import type { Event } from '../../../protocol/events/event.ts'
import { type Message, textOf } from '../../../protocol/events/message.ts'
import type { Seq } from '../../../protocol/events/seq.ts'
import { type Block, createConversation } from '../../../session/conversation/conversation.ts'
import { factsHead } from '../../../session/conversation/supplied-history.ts'

/**
 * Collects what comes into the conversation of a throw-away session, as messages that its caller sends back: whoever
 * does has the model read the same again, byte for byte.
 */
export function createSentBack() {
  const conversation = createConversation()
  /** Those that the caller has, or was told already. */
  const known = new Set<Seq>()
  const calls = new Map<Seq, { index: number; callId: string | undefined }>()
  let results: { index: number; message: AgentMessage }[] = []
  let collected: AgentMessage[] = []

  function follow(event: Event): void {
    const before = conversation.blocks.length
    conversation.apply(event)
    if (event.type === 'message' && event.by.kind === 'user') known.add(event.seq)
    else if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
      collected.push(replied(event))
    else if (event.type === 'tool_request' && event.step !== null)
      calls.set(event.seq, { index: event.index, callId: event.callId })
    else if (event.type === 'tool_response') answered(event)
    else if (event.type === 'step_start')
      for (const block of conversation.blocks.slice(before)) news(block)
  }

  /** A reply that is not replayed leaves a gap, told as a reply without a word. */
  function replied({ parts, inContext }: Message & { role: 'assistant' }): AgentMessage {
    if (!inContext) return { role: 'assistant', content: '' }
    const [first, ...rest] = parts
    const isPlain = first?.type === 'text' && first.opaque === undefined && rest.length === 0
    const { model = '', adapter = '' } = conversation.setup ?? {}
    const reply = isPlain ? {} : { reply: { model, adapter, parts: [...parts] } }
    return { role: 'assistant', content: textOf(parts), ...reply }
  }

  function answered({ seq, request, content, inContext }: Event & { type: 'tool_response' }): void {
    const call = calls.get(request)
    if (call === undefined || !inContext) return
    known.add(seq)
    const answers = call.callId === undefined ? {} : { call: call.callId }
    const message = { role: 'tool', content, record: true, ...answers } as const
    results.push({ index: call.index, message })
  }

  /** Records that no call asked for: the facts, and what became of the shell or of an earlier command. */
  function news(block: Block): void {
    if (block.kind === 'reply') return
    for (const { seq, kind, text } of block.parts) {
      if (kind !== 'record' || known.has(seq)) continue
      const isFacts = text.startsWith(factsHead)
      collected.push(
        isFacts ? { role: 'system', content: text } : { role: 'tool', content: text, record: true },
      )
    }
  }

  return {
    follow,
    /** All since it was last asked for, in the order in which the model reads it. */
    take(): AgentMessage[] {
      const inOrder = results.toSorted((a, b) => a.index - b.index)
      const messages = [...collected, ...inOrder.map(({ message }) => message)]
      collected = []
      results = []
      return messages
    },
  }
}
