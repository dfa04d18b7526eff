import type { ToolRequest } from '../protocol/call.ts'
import type { EpochStart, ModelSetup } from '../protocol/epoch.ts'
import type { Event } from '../protocol/event.ts'
import type { Message, RawCall } from '../protocol/message.ts'
import type { Seq } from '../protocol/seq.ts'

/**
 * One part of what the model sees. Parts are never joined, reshaped or dropped later: request N and
 * its reply are a prefix of request N + 1.
 */
export type Part =
  | { kind: 'prompt'; seq: Seq; text: string }
  | { kind: 'reply'; seq: Seq; text: string; calls: readonly RawCall[] }
  | { kind: 'record'; seq: Seq; text: string; callId?: string }

/** The log as the model sees it, built event by event. */
export interface Conversation {
  readonly setup: ModelSetup | null
  readonly parts: readonly Part[]
  apply(event: Event): void
}

export function createConversation(): Conversation {
  const parts: Part[] = []
  /** Closed, but not taken by a step yet. */
  const held = new Map<Seq, Part>()
  const calls = new Map<Seq, ToolRequest>()
  let setup: EpochStart | null = null

  function apply(event: Event): void {
    if (event.type === 'epoch_start') setup = event
    else if (event.type === 'tool_request') calls.set(event.seq, event)
    else if (event.type === 'step_start') take(event.takes)
    else if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
      parts.push(...reply(event))
    else {
      const part = partOf(event, calls)
      if (part) held.set(part.seq, part)
    }
    if (event.type === 'tool_response') calls.delete(event.request)
  }

  function take(seqs: readonly Seq[]): void {
    for (const seq of seqs) {
      const part = held.get(seq)
      if (part) parts.push(part)
      held.delete(seq)
    }
  }

  return {
    get setup() {
      return setup
    },
    parts,
    apply,
  }
}

/** The conversation of a whole log. */
export function conversation(log: readonly Event[]): readonly Part[] {
  const built = createConversation()
  for (const event of log) built.apply(event)
  return built.parts
}

function reply(event: Message & { role: 'assistant' }): readonly Part[] {
  if (!event.inContext) return []
  return [{ kind: 'reply', seq: event.seq, text: textOf(event), calls: event.calls }]
}

/** What an event gives the model to read, once a step takes it; everything else is for people. */
function partOf(event: Event, calls: ReadonlyMap<Seq, ToolRequest>): Part | null {
  const { seq } = event
  if (event.type === 'message') return supplied(event)
  if (event.type === 'input_queued') return { kind: 'prompt', seq, text: event.text }
  if (event.type === 'shell_start' && event.generation > 1)
    return { kind: 'record', seq, text: newShell(event.cwd) }
  if (event.type === 'run_end' && event.content !== null)
    return { kind: 'record', seq, text: event.content }
  if (event.type !== 'tool_response' || !event.inContext) return null
  const callId = calls.get(event.request)?.callId
  return { kind: 'record', seq, text: event.content, ...(callId !== undefined && { callId }) }
}

function supplied(event: Message): Part | null {
  if (!event.inContext) return null
  const text = textOf(event)
  if (event.role === 'assistant') return { kind: 'reply', seq: event.seq, text, calls: [] }
  return { kind: event.synthetic ? 'record' : 'prompt', seq: event.seq, text }
}

function newShell(cwd: string): string {
  return `[a new shell was started in ${cwd}: variables, functions and jobs of the earlier one are gone]`
}

function textOf(event: Message): string {
  return event.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
