import type { ModelSetup } from '../../protocol/epoch.ts'
import type { RawCall } from '../../protocol/message.ts'
import type { Usage } from '../../protocol/turn.ts'
import type { Part } from '../../session/conversation.ts'

/** All that goes into one request; what does not stand here never reaches a provider. */
export interface ModelRequest {
  setup: ModelSetup
  parts: readonly Part[]
}

/** What a model sends, in order; exactly one `end` comes last, or the iteration throws. */
export type ReplyPart =
  | { type: 'text'; text: string }
  | { type: 'call'; call: RawCall }
  | { type: 'end'; stop: 'done' | 'length'; usage: Usage }

export interface Model {
  /** What a new epoch freezes. */
  readonly setup: ModelSetup
  reply(request: ModelRequest, options: { signal: AbortSignal }): AsyncIterable<ReplyPart>
}

export interface ModelErrorOptions extends ErrorOptions {
  code: string
  retryAfterMs?: number | null
  fatal?: boolean
}

/** The provider failed; the message is a sentence for a person. */
export class ModelError extends Error {
  readonly code: string
  readonly retryAfterMs: number | null
  readonly fatal: boolean

  constructor(message: string, { code, retryAfterMs, fatal, ...options }: ModelErrorOptions) {
    super(message, options)
    this.name = 'ModelError'
    this.code = code
    this.retryAfterMs = retryAfterMs ?? null
    this.fatal = fatal ?? false
  }
}
