import type { AgentLine } from '../../../protocol/http/agent-route.ts'
import type { ToolRequest, ToolResponse } from '../../../protocol/events/call.ts'
import type { Event } from '../../../protocol/events/event.ts'
import type { Frame } from '../../../protocol/stream/frame.ts'
import { textOf } from '../../../protocol/events/message.ts'
import type { Seq } from '../../../protocol/events/seq.ts'
import type { AgentEnd, TurnEnd } from '../../../protocol/events/turn.ts'

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
  const commands = new Map<Seq, string>()
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

  function called({ seq, run, args }: ToolRequest): AgentLine[] {
    const command = run?.command ?? args
    commands.set(seq, command)
    return [{ type: 'tool-call', command }]
  }

  function answered({ request, content }: ToolResponse): AgentLine[] {
    const command = commands.get(request)
    return command === undefined ? [] : [{ type: 'tool-result', command, result: content }]
  }

  /** A message without a step was supplied by the caller, and is not said back. */
  function ofEvent(event: Event): AgentLine[] {
    if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
      return moreText(event.step, { offset: 0, text: textOf(event.parts) })
    if (event.type === 'tool_request' && event.step !== null) return called(event)
    if (event.type === 'tool_response') return answered(event)
    if (event.type === 'step_end')
      return [{ type: 'iteration-end', hasMoreCommands: event.hasMoreCommands }]
    // Kept for the end of the turn: a fault that a retry got over is not the caller's concern.
    if (event.type === 'error') lastFault = event.message
    return event.type === 'agent_end' ? ending(event) : []
  }

  return (frame) => {
    if (frame.type === 'event') return ofEvent(frame.event)
    if (frame.type === 'closed')
      return [{ type: 'error', message: 'the server ended the session' }, { type: 'done' }]
    if (frame.type === 'delta' && frame.delta.type === 'message_delta') {
      return moreText(frame.delta.step, frame.delta)
    }
    return []
  }
}
