import type { ModelSetup } from '../../protocol/epoch.ts'
import type { RawCall } from '../../protocol/message.ts'
import type { Usage } from '../../protocol/turn.ts'

/** All that goes into one request; what does not stand here never reaches a provider. */
export interface ModelRequest {
  setup: ModelSetup
  /** The conversation, message by message, as the set-up’s wire wrote it. */
  messages: readonly string[]
  /** How many of them the last request had: where a provider may look its cache up. */
  sent: number
}

/**
 * What a model sends, in order. Text and thinking come in pieces and are put together; `close` ends
 * the piece that is being put together and says what only the provider can read of it. Exactly one
 * `end` comes last, or the iteration throws.
 */
export type ReplyDelta =
  | { type: 'text' | 'thinking'; text: string }
  | { type: 'close'; opaque?: string }
  | RawCall
  | { type: 'end'; stop: 'done' | 'length'; usage: Usage }

export interface Model {
  /** What a new epoch freezes. */
  readonly setup: ModelSetup
  reply(request: ModelRequest, options: ReplyOptions): AsyncIterable<ReplyDelta>
}

export interface ReplyOptions {
  signal: AbortSignal
  /** Told of every sign of life, also of what gives no delta yet. */
  heard?: () => void
}

/** What went wrong, in words that stay the same; retried are only the ones that pass by themselves. */
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

export interface ModelErrorOptions extends ErrorOptions {
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
