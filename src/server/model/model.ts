import type { ModelSetup } from '../../protocol/events/epoch.ts'
import type { RawCall } from '../../protocol/events/message.ts'
import type { Usage } from '../../protocol/events/turn.ts'
import { callId } from '../../session/calls/call-id.ts'
import type { Part, Reply, Taken } from '../../session/conversation/conversation.ts'
import type { Agents } from './transport/agents.ts'

/** All that goes into one request; what does not stand here never reaches a provider. */
export interface ModelRequest {
  setup: ModelSetup
  /** The conversation, message by message, as the set-up’s wire wrote it. */
  messages: readonly string[]
  /** How many of them the last request had: where a provider may look its cache up. */
  sent: number
}

/**
 * A model's output, in order. Text and thinking come in pieces and are put together; `close` ends
 * the current piece and carries its part that only the provider can read. A call that the provider
 * gave no id has an empty one: the log makes one that no other call has. `was-thought` comes where only the end of a thought
 * is marked: all text so far was one. `usage` is the provider's count so far, for a
 * reply that comes to no end. Exactly one `end` comes last, or the iteration throws.
 */
export type ReplyDelta =
  | { type: 'text' | 'thinking'; text: string }
  | { type: 'close'; opaque?: string }
  | { type: 'was-thought'; opaque: string }
  | RawCall
  | { type: 'usage'; usage: Usage }
  | { type: 'end'; stop: 'done' | 'length'; usage: Usage }

export interface Model {
  /** The set-up that a new epoch freezes. */
  readonly setup: ModelSetup
  reply(request: ModelRequest, options: ReplyOptions): AsyncIterable<ReplyDelta>
}

export interface ReplyOptions {
  signal: AbortSignal
  /** Told of every sign of life, also of what gives no delta yet: a ping, a piece of an argument. */
  heard?: (() => void) | undefined
}

export interface OpenOptions {
  setup: ModelSetup
  /** The name the provider knows the model by. */
  name: string
  /** As people know the server. */
  who: string
  baseUrl: string
  apiKey: string | null
  /** Beside those of the protocol, as a configuration says. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The connections that requests go over; left out: straight to the address. */
  agents?: Agents | undefined
}

/** Stable names of failures; only those that pass by themselves are retried. */
export type ModelErrorCode =
  | 'model_auth'
  | 'model_config'
  | 'model_overloaded'
  | 'model_unreachable'
  | 'model_failed'
  | 'model_cut'
  | 'model_silent'
  | 'model_refused'
  | 'context_full'

interface ModelErrorOptions extends ErrorOptions {
  code: ModelErrorCode
  /** As the provider asked. */
  retryAfterMs?: number | null
  /** May pass by itself: the same request is worth sending again. */
  transient?: boolean
}

/** The provider failed; the message is a sentence for a person. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  readonly retryAfterMs: number | null
  readonly transient: boolean

  constructor(message: string, { code, retryAfterMs, transient, ...options }: ModelErrorOptions) {
    super(message, options)
    this.name = 'ModelError'
    this.code = code
    this.retryAfterMs = retryAfterMs ?? null
    this.transient = transient ?? false
  }
}

export function refusal(why: string): ModelError {
  return new ModelError(`The model would not answer: ${why}`, { code: 'model_refused' })
}

/** Only a reply that is whole runs anything, and who knows whether this one is. */
export function unknownReason(reason: string): ModelError {
  const message = `The model stopped for a reason that is not known here: ${reason.slice(0, 100)}`
  return new ModelError(message, { code: 'model_failed' })
}

/** A provider that closes without an end has been cut; that is not an empty reply. */
export function cutOff(): ModelError {
  return new ModelError('The model’s reply was cut off.', { code: 'model_cut', transient: true })
}

/** Gemini and servers under load end so now and then; asked again, the model mostly answers. */
export function checkSaid(hasAnything: boolean): void {
  if (hasAnything) return
  const message = 'The model’s reply was empty.'
  throw new ModelError(message, { code: 'model_failed', transient: true })
}

/**
 * How a provider’s protocol writes a conversation: JSON texts, one a message. A wire is pure and is
 * shown one block at a time, so it cannot reshape what was sent before. Its shape is frozen under its
 * name: another shape gets another name, and old ones stay.
 */
export interface Wire {
  taken(block: Taken, setup: ModelSetup): readonly string[]
  reply(block: Reply, setup: ModelSetup): readonly string[]
}

/** Signatures are for the model that made them; the first shape of a wire knew only its provider. */
export function isOfModel({ model }: Pick<Reply, 'model'>, setup: ModelSetup): boolean {
  return isFirstShape(setup) || model === setup.model
}

export function isFirstShape({ wireVersion = 1 }: ModelSetup): boolean {
  return wireVersion < 2
}

export type MadeCall = Pick<RawCall, 'id' | 'name' | 'args'>

/** The record as the answer to a synthetic call of the model’s, where it has such a tool. */
export function pairOf(part: Part, { tools, renderVersion }: ModelSetup): MadeCall | null {
  // A result has no place for a picture that all protocols know; what a user says has.
  if (part.kind !== 'record' || part.asked === undefined || part.images) return null
  const { name, args } = part.asked
  if (!tools.some((tool) => tool.name === name)) return null
  const id = renderVersion < 2 ? `user_${part.seq}` : callId(part.seq, 0)
  return { id, name, args }
}

/** Raw arguments where a protocol wants an object. What is none is kept inside one. */
export function argsObject(args: string): string {
  const parsed = parseJson(args)
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isObject ? args : JSON.stringify({ invalid: args })
}

/** Null for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
