import { sign } from './anthropic-rules.ts'
import type { ScriptedPart, ScriptedReply } from './provider.ts'

/** One event of the stream. */
export type StreamEvent = Readonly<Record<string, unknown>> & { type: string }

const defaultUsage = { input: 100, output: 7, cacheRead: 64, cacheWrite: 16 }

export function messageStart({ usage = defaultUsage }: Partial<ScriptedReply> = {}): StreamEvent {
  const { input, cacheRead, cacheWrite } = usage
  return {
    type: 'message_start',
    message: {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input - cacheRead - cacheWrite,
        cache_creation_input_tokens: cacheWrite,
        cache_read_input_tokens: cacheRead,
        output_tokens: 1,
      },
    },
  }
}

export function messageEnd(stopReason: string, { usage = defaultUsage } = {}): StreamEvent[] {
  const details = { type: 'refusal', category: 'cyber', explanation: 'scripted refusal' }
  return [
    {
      type: 'message_delta',
      delta: {
        stop_reason: stopReason,
        stop_sequence: null,
        stop_details: stopReason === 'refusal' ? details : null,
      },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ]
}

/** A block that comes in pieces. */
export function blockEvents(
  index: number,
  contentBlock: object,
  deltas: readonly object[],
): StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block: contentBlock },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

export function partEvents(part: ScriptedPart, index: number): StreamEvent[] {
  if (part.type === 'text')
    return blockEvents(
      index,
      { type: 'text', text: '' },
      pieces(part.text).map((text) => ({ type: 'text_delta', text })),
    )
  if (part.type === 'thinking')
    return blockEvents(index, { type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(part.text).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: sign(part.text) },
    ])
  const { id, name, args } = part
  return blockEvents(index, { type: 'tool_use', id, name, input: {} }, [
    { type: 'input_json_delta', partial_json: '' },
    ...pieces(args).map((json) => ({ type: 'input_json_delta', partial_json: json })),
  ])
}

/** A few characters a delta, so that tags and arguments are split. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? []
}

export function eventText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
