import type { AgentLine, AgentMessage } from '../../../protocol/http/agent-route.ts'
import type { ToolRequest, ToolResponse } from '../../../protocol/events/call.ts'
import type { Event } from '../../../protocol/events/event.ts'
import type { Frame } from '../../../protocol/stream/frame.ts'
import { textOf, type Message } from '../../../protocol/events/message.ts'
import type { Seq } from '../../../protocol/events/seq.ts'
import type { AgentEnd, TurnEnd } from '../../../protocol/events/turn.ts'
import { actHeader, commandHeader } from '../../../session/append.ts'
import { bareResult, factsHead } from '../../../session/conversation/supplied-history.ts'
import { type Block, createConversation } from '../../../session/conversation/conversation.ts'

/** How a turn can end that its caller must not take for an answer. */
const faults: Partial<Record<TurnEnd, string>> = {
  failed: 'the model could not be reached or gave no answer',
  aborted: 'the turn was aborted',
  context_full: "the conversation no longer fits the model's context",
}

/**
 * Turns the frames of a throw-away session into the lines of the stateless route. Deltas may be
 * missed: the reply's event brings whatever text is still lacking, so the text is always whole.
 */
export function createAgentLines(): (frame: Frame) => readonly AgentLine[] {
  const sent = new Map<Seq, number>()
  const calls = new Map<Seq, ToolRequest>()
  const sentBack = createSentBack()
  let lastFault: string | null = null

  function moreText(step: Seq, piece: { offset: number; text: string }): AgentLine[] {
    const have = sent.get(step) ?? 0
    const content = piece.offset <= have ? piece.text.slice(have - piece.offset) : ''
    if (content === '') return []
    sent.set(step, have + content.length)
    return [{ type: 'text', content }]
  }

  function ending({ reason }: AgentEnd): AgentLine[] {
    const fault = faults[reason]
    if (fault === undefined) return [{ type: 'done' }]
    return [{ type: 'error', message: lastFault ?? fault }, { type: 'done' }]
  }

  function called(call: ToolRequest): AgentLine[] {
    calls.set(call.seq, call)
    return [{ type: 'tool-call', command: commandOf(call) }]
  }

  function answered({ request, content }: ToolResponse): AgentLine[] {
    const call = calls.get(request)
    if (call === undefined) return []
    const command = commandOf(call)
    const header = call.act ? actHeader(call.act) : commandHeader(command)
    return [{ type: 'tool-result', command, result: bareResult(content, header) }]
  }

  /** A message without a step was supplied by the caller, and is not said back. */
  function ofEvent(event: Event): AgentLine[] {
    if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
      return moreText(event.step, { offset: 0, text: textOf(event.parts) })
    if (event.type === 'tool_request' && event.step !== null) return called(event)
    if (event.type === 'tool_response') return answered(event)
    if (event.type === 'step_end')
      return [
        {
          type: 'iteration-end',
          hasMoreCommands: event.hasMoreCommands,
          messages: sentBack.take(),
        },
      ]
    // Kept for the end of the turn: a fault that a retry got over is not the caller's concern.
    if (event.type === 'error') lastFault = event.message
    return event.type === 'agent_end' ? ending(event) : []
  }

  return (frame) => {
    if (frame.type === 'event') {
      sentBack.follow(frame.event)
      return ofEvent(frame.event)
    }
    if (frame.type === 'closed')
      return [{ type: 'error', message: 'the server ended the session' }, { type: 'done' }]
    if (frame.type === 'delta' && frame.delta.type === 'message_delta') {
      return moreText(frame.delta.step, frame.delta)
    }
    return []
  }
}

function commandOf({ run, args }: ToolRequest): string {
  return run?.command ?? args
}

/**
 * Collects what comes into the conversation of a throw-away session, as messages that its caller sends back: whoever
 * does has the model read the same again, byte for byte.
 */
function createSentBack() {
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
