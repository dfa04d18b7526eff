import type { Event } from '../../protocol/events/event.ts'
import type { ToolRequest } from '../../protocol/events/call.ts'
import type { ModelSetup } from '../../protocol/events/epoch.ts'
import {
  type ImageRef,
  type Message,
  type RawCall,
  type ReplyPart,
  textOf,
} from '../../protocol/events/message.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { shellText, short } from './shell-news.ts'

/** One thing the model is given to read. */
export type Part =
  | { kind: 'prompt'; seq: Seq; text: string }
  | {
      kind: 'record'
      seq: Seq
      text: string
      /** The native call of the model’s that this answers. */
      answers?: RawCall
      /** The place of that call in the log. */
      origin?: CallOrigin
      /** A person's action, written as the model would have asked for it. */
      asked?: { name: string; args: string }
      /** The input by which a person had it done, where its text does not say so itself. */
      typed?: string
      /** Pictures stand in a user's message, so an answer to a native call has none. */
      images?: readonly ImageRef[]
    }

/** The model whose reply asked, the reply’s seq, and the number of the call among the reply’s. */
export interface CallOrigin {
  model: string
  seq: Seq
  index: number
}

/** The parts that one step brought into the conversation, in order: answers to calls come first. */
export interface Taken {
  kind: 'taken'
  seq: Seq
  parts: readonly Part[]
  /** The reply before this is not replayed: it was blank, or cut before its first word. */
  gap: boolean
}

export interface Reply {
  kind: 'reply'
  seq: Seq
  parts: readonly ReplyPart[]
  /** The adapter that can read the opaque parts; empty if none can. */
  adapter: string
  /** The model that said it, as its epoch names it; left out if none did. */
  model?: string
  /** Nothing that the user said stands before it: a history may begin with a reply, or have two in a row. */
  gap?: true
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
  /** The number of closed parts that wait for a step to take them. */
  waiting(): number
  apply(event: Event): void
}

export function createConversation(): Conversation {
  const blocks: Block[] = []
  /** Parts that are closed, but not taken by a step yet. */
  const held = new Map<Seq, Part | Reply>()
  const calls = new Map<Seq, ToolRequest>()
  let raw = new Map<string, Answered>()
  let setup: ModelSetup | null = null

  function apply(event: Event): void {
    if (event.type === 'epoch_start') setup = setupOf(event)
    else if (event.type === 'tool_request') calls.set(event.seq, event)
    else if (event.type === 'step_start') take(event.seq, event.takes)
    else if (event.type === 'input_withdrawn') held.delete(event.queued)
    else if (isReply(event) && event.step !== null) reply(event)
    else hold(event)
    if (event.type === 'tool_response') calls.delete(event.request)
  }

  /** Until a step takes it. */
  function hold(event: Event): void {
    const part =
      event.type === 'message' ? given(event) : partOf(event, (call) => answered(calls.get(call)))
    if (part) held.set(part.seq, part)
  }

  function given(event: Message): Part | Reply | null {
    if (isReply(event)) raw = callsIn(event, event.origin?.model ?? '')
    return supplied(event, setup?.dialect === 'tools' ? raw : null)
  }

  function reply(event: Said): void {
    const { seq, parts } = event
    const { adapter = '', model = '' } = setup ?? {}
    raw = callsIn(event, model)
    if (event.inContext) blocks.push({ kind: 'reply', seq, parts, adapter, model })
  }

  function answered(call: ToolRequest | undefined): Answered {
    if (call === undefined) return {}
    const native = call.callId === undefined ? undefined : raw.get(call.callId)
    if (native) return native
    return call.meta.isClientInitiated ? askedFor(call) : {}
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
        blocks.push(blocks.at(-1)?.kind === 'taken' ? part : { ...part, gap: true })
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
  const { contextTokens, outputTokens, wireVersion, thinking } = event
  const told = {
    ...(images && { images }),
    ...(contextTokens && { contextTokens }),
    ...(outputTokens && { outputTokens }),
    ...(wireVersion && { wireVersion }),
    ...(thinking && { thinking }),
  }
  return { model, adapter, dialect, system, tools, renderVersion, ...told }
}

/** A person's call. Runs and mentions say in their status line whose they are. */
function askedFor(call: ToolRequest): Answered {
  const asked = { name: call.name, args: argsOf(call) }
  return call.run || call.read ? { asked } : { asked, typed: short(call.args) }
}

/** The arguments as the model would have written them. */
function argsOf({ run, skill, args }: ToolRequest): string {
  if (run) return JSON.stringify({ command: run.command })
  return skill === undefined ? args : JSON.stringify({ name: skill })
}

type Answered = Pick<Part & { kind: 'record' }, 'answers' | 'asked' | 'origin' | 'typed'>
type AnswerOf = (call: Seq) => Answered

/** The part of an event that the model reads, once a step takes it; everything else is for people. */
function partOf(event: Event, answerOf: AnswerOf): Part | null {
  const { seq } = event
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

/** A message that no step of this session brought: a prompt, a record, or one of a history that somebody keeps. */
function supplied(
  event: Message,
  /** Null among tags, where nothing answers a native call. */
  raw: ReadonlyMap<string, Answered> | null,
): Part | Reply | null {
  if (!event.inContext) return null
  const { seq } = event
  if (event.role === 'assistant')
    return { kind: 'reply', seq, parts: event.parts, adapter: '', ...event.origin }
  const native = event.answers === undefined ? undefined : raw?.get(event.answers)
  const kind = event.synthetic ? 'record' : 'prompt'
  return { kind, seq, text: textOf(event.parts), ...native }
}

function callsIn({ seq, parts }: Said, model: string): Map<string, Answered> {
  const calls = parts.filter((part) => part.type === 'call')
  return new Map(
    calls.map((answers, index) => [answers.id, { answers, origin: { model, seq, index } }]),
  )
}

type Said = Message & { role: 'assistant' }

function isReply(event: Event): event is Said {
  return event.type === 'message' && event.role === 'assistant'
}
