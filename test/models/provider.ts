import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { Model } from '../../src/server/model/model.ts'
import type { ServedRequest } from '../support/scripted-server.ts'

/** One thing a scripted model says. A thought is signed by the server as the real one would sign it. */
export type ScriptedPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** `args` is the raw text that the provider streams, or that stands in its JSON. */
  | { type: 'call'; name: string; args: string; id?: string }

export interface ScriptedReply {
  parts: readonly ScriptedPart[]
  /**
   * After the parts: end well, reach the output limit, be stopped by a content filter, break off in the
   * middle of the body, close it without an end, or stay open until released.
   */
  ending?: 'done' | 'length' | 'refused' | 'cut' | 'endless' | Promise<void>
  usage?: { input: number; output: number; cacheRead: number; cacheWrite: number }
  /** Answer with this error instead, in the provider’s own shape. */
  error?: { status: number; message: string; retryAfter?: string }
}

export type ProviderRequest = ServedRequest

/**
 * A server on loopback in one provider’s real streaming format. It refuses with a 400, as the real one
 * does, what breaks the provider’s rules: order, unanswered calls, missing signatures, empty texts.
 */
export interface ProviderServer {
  baseUrl: string
  requests: readonly ProviderRequest[]
  say(...replies: readonly (string | ScriptedReply)[]): void
  /** Forgets what has not been said. */
  hush(): void
  /** Resolves when the n-th request (from 1) has arrived. */
  request(n: number): Promise<ProviderRequest>
  /** Cuts what is streamed into pieces of these many bytes, over and over; none: as it is written. */
  cutAt(...sizes: readonly number[]): void
  close(): Promise<void>
}

/** All that the contract suite has to know about a provider. */
export interface Provider {
  name: string
  dialects: readonly Dialect[]
  start(): Promise<ProviderServer>
  model(options: { baseUrl: string; dialect: Dialect }): Model
  /**
   * A body as a list of JSON texts in their order: what stands before the conversation, then each
   * message or item, with cache marks and item ids taken out. Nothing else may be left out.
   */
  items(body: string): readonly string[]
  /** The items that a reply has to come back as in the next request. */
  replayed(reply: ScriptedReply): readonly string[]
}
