import type { AgentLine } from '../../../protocol/http/agent-route.ts'
import type { ToolRequest, ToolResponse } from '../../../protocol/events/call.ts'
import type { Event } from '../../../protocol/events/event.ts'
import type { Frame } from '../../../protocol/stream/frame.ts'
import { textOf } from '../../../protocol/events/message.ts'
import type { Seq } from '../../../protocol/events/seq.ts'
import type { AgentEnd, TurnEnd } from '../../../protocol/events/turn.ts'
import { actHeader, commandHeader } from '../../../session/append.ts'
import { bareResult } from '../../../session/conversation/supplied-history.ts'
import { createSentBack } from './sent-back.ts'

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
