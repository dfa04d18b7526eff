import { z } from 'zod'
import { Event } from '../events/event.ts'
import { Head, SessionId } from '../events/seq.ts'
import { RefusalCode } from '../http/refusal.ts'
import { Delta } from './delta.ts'
import {
  AckRequest,
  InputRequest,
  ScreenFrame,
  SecretFrame,
  SecretRequest,
  UnviewRequest,
  ViewingFrame,
  ViewportRequest,
  ViewRequest,
} from './terminal.ts'

/** One thing that a stream carries to a client. Only `event` frames have a place to resume from. */
export const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), event: Event }),
  z.object({ type: z.literal('delta'), delta: Delta }),
  /** Everything up to `head` has been replayed; what follows is live. */
  z.object({ type: z.literal('live'), head: Head }),
  /**
   * The client was too slow, or the server ends: resume after the last event seen. The session is gone, or its log
   * cannot be read: there is nothing to resume.
   */
  z.object({
    type: z.literal('closed'),
    reason: z.enum(['slow', 'deleted', 'shutdown', 'failed']),
  }),
])
export type Frame = z.infer<typeof Frame>

/** A client's message on the WebSocket. The ticket comes first, and alone proves who it is. */
export const SocketRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ticket'), ticket: z.string().max(100) }),
  z.strictObject({ type: z.literal('subscribe'), session: SessionId, after: Head }),
  z.strictObject({ type: z.literal('unsubscribe'), session: SessionId }),
  z.strictObject({ type: z.literal('ping') }),
  ViewRequest,
  UnviewRequest,
  InputRequest,
  SecretRequest,
  ViewportRequest,
  AckRequest,
])
export type SocketRequest = z.infer<typeof SocketRequest>

/** The server's message on it. The terminal's bytes are binary messages instead. */
export const SocketFrame = z.discriminatedUnion('type', [
  /** `protocol` is the version that the server speaks; one from before it was said speaks 1. */
  z.object({ type: z.literal('ready'), protocol: z.number().int().default(1) }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('frame'), session: SessionId, frame: Frame }),
  /** `to` and `session`: the request that is refused, when it could be read. */
  z.object({
    type: z.literal('refused'),
    code: RefusalCode,
    message: z.string(),
    to: z.string().optional(),
    session: SessionId.optional(),
  }),
  ViewingFrame,
  ScreenFrame,
  SecretFrame,
])
export type SocketFrame = z.infer<typeof SocketFrame>
