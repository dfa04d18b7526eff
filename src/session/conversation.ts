import type { ToolRequest } from '../protocol/call.ts'
import type { ModelSetup } from '../protocol/epoch.ts'
import type { Event } from '../protocol/event.ts'
import {
  type ImageRef,
  type Message,
  type RawCall,
  type ReplyPart,
  textOf,
} from '../protocol/message.ts'
import type { Seq } from '../protocol/seq.ts'
import { shellText } from './shell-text.ts'

/** One thing the model is given to read. */
export type Part =
  | { kind: 'prompt'; seq: Seq; text: string }
  | {
      kind: 'record'
      seq: Seq
      text: string
      /** The native call of the model’s that this answers. */
      answers?: RawCall
      /** What a person did, as the model would have asked for it. */
      asked?: { name: string; args: string }
      /** Never of an answer to a native call: pictures stand in what a user says. */
      images?: readonly ImageRef[]
    }

/** What one step brought into the conversation, in order: answers to calls come first. */
export interface Taken {
  kind: 'taken'
  seq: Seq
  parts: readonly Part[]
  /** What the model said before this is not replayed: it was blank, or cut before its first word. */
  gap: boolean
}

export interface Reply {
  kind: 'reply'
  seq: Seq
  parts: readonly ReplyPart[]
  /** Who can read what is opaque in it; empty if nobody can. */
  adapter: string
}

/**
 * A closed stretch of what the model sees. Blocks are never joined, reshaped or dropped later:
 * request N and its reply are a prefix of request N + 1.
 */
export type Block = Taken | Reply

/** The log as the model sees it, built event by event. */
export interface Conversation {
  readonly setup: ModelSetup | null
  readonly blocks: readonly Block[]
  /** How much is closed and waits for a step that takes it. */
  waiting(): number
  apply(event: Event): void
}

export function createConversation(): Conversation {
  const blocks: Block[] = []
  /** Closed, but not taken by a step yet. */
  const held = new Map<Seq, Part | Reply>()
  const calls = new Map<Seq, ToolRequest>()
  let raw = new Map<string, RawCall>()
  let setup: ModelSetup | null = null

  function apply(event: Event): void {
    if (event.type === 'epoch_start') setup = setupOf(event)
    else if (event.type === 'tool_request') calls.set(event.seq, event)
    else if (event.type === 'step_start') take(event.seq, event.takes)
    else if (event.type === 'input_withdrawn') held.delete(event.queued)
    else if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
      reply(event)
    else {
      const part = partOf(event, (call) => answered(calls.get(call)))
      if (part) held.set(part.seq, part)
    }
    if (event.type === 'tool_response') calls.delete(event.request)
  }

  function reply(event: Message & { role: 'assistant' }): void {
    const { seq, parts } = event
    raw = new Map(parts.flatMap((part) => (part.type === 'call' ? [[part.id, part]] : [])))
    if (event.inContext) blocks.push({ kind: 'reply', seq, parts, adapter: setup?.adapter ?? '' })
  }

  function answered(
    call: ToolRequest | undefined,
  ): Pick<Part & { kind: 'record' }, 'answers' | 'asked'> {
    if (call === undefined) return {}
    const answers = call.callId === undefined ? undefined : raw.get(call.callId)
    if (answers) return { answers }
    const { name } = call
    if (!call.meta.isClientInitiated) return {}
    return { asked: { name, args: argsOf(call) } }
  }

  function take(seq: Seq, seqs: readonly Seq[]): void {
    let parts: Part[] = []
    const close = () => {
      const gap = blocks.at(-1)?.kind === 'taken'
      if (parts.length > 0) blocks.push({ kind: 'taken', seq, parts, gap })
      parts = []
    }
    for (const one of seqs) {
      const part = held.get(one)
      held.delete(one)
      if (part?.kind === 'reply') {
        close()
        blocks.push(part)
      } else if (part) parts.push(part)
    }
    close()
  }

  return {
    get setup() {
      return setup
    },
    blocks,
    waiting: () => held.size,
    apply,
  }
}

/** The conversation of a whole log. */
export function conversation(log: readonly Event[]): readonly Block[] {
  const built = createConversation()
  for (const event of log) built.apply(event)
  return built.blocks
}

function setupOf(event: Event & { type: 'epoch_start' }): ModelSetup {
  const { model, adapter, dialect, system, tools, renderVersion, images } = event
  return { model, adapter, dialect, system, tools, renderVersion, ...(images && { images }) }
}

/** As the model would have written them. */
function argsOf({ run, skill, args }: ToolRequest): string {
  if (run) return JSON.stringify({ command: run.command })
  return skill === undefined ? args : JSON.stringify({ name: skill })
}

type AnswerOf = (call: Seq) => Pick<Part & { kind: 'record' }, 'answers' | 'asked'>

/** What an event gives the model to read, once a step takes it; everything else is for people. */
function partOf(event: Event, answerOf: AnswerOf): Part | Reply | null {
  const { seq } = event
  if (event.type === 'message') return supplied(event)
  if (event.type === 'input_queued') return { kind: 'prompt', seq, text: event.text }
  const moved = shellText(event)
  if (moved !== null) return { kind: 'record', seq, text: moved }
  if (event.type === 'run_end' && event.content !== null)
    return { kind: 'record', seq, text: event.content }
  if (event.type !== 'tool_response' || !event.inContext) return null
  const answered = answerOf(event.request)
  const images = event.images && !answered.answers && { images: event.images }
  return { kind: 'record', seq, text: event.content, ...answered, ...images }
}

function supplied(event: Message): Part | Reply | null {
  if (!event.inContext) return null
  const { seq } = event
  if (event.role === 'assistant') return { kind: 'reply', seq, parts: event.parts, adapter: '' }
  return { kind: event.synthetic ? 'record' : 'prompt', seq, text: textOf(event.parts) }
}
