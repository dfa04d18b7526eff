import { z } from 'zod'
import { Event } from '../events/event.ts'
import { Head, SessionId } from '../events/seq.ts'
import { RefusalCode } from '../http/refusal.ts'
import { Delta } from './delta.ts'

/** A place in the terminal's byte stream, counted from the session's first byte. */
const Offset = z.number().int().nonnegative()

/** Nothing draws less than one cell, and no monitor shows more; what lies outside is a fault. */
const Side = z.number().int().min(1).max(1_000)

/** A paste of more comes in parts; a message must stay below the socket's own limit. */
const inputChars = 16 * 1024

const viewport = { rows: Side, cols: Side, visible: z.boolean() }

/** Show me the terminal: from where I stopped, if that is near, else from a snapshot. */
export const ViewRequest = z.strictObject({
  type: z.literal('view'),
  session: SessionId,
  from: Offset.optional(),
  /**
   * A new shell is wanted though the last one has moved to another session; else looking starts
   * none there.
   */
  start: z.literal(true).optional(),
  ...viewport,
})
export type ViewRequest = z.infer<typeof ViewRequest>

export const UnviewRequest = z.strictObject({ type: z.literal('unview'), session: SessionId })
export type UnviewRequest = z.infer<typeof UnviewRequest>

/** Keys for the program in the terminal. Never recorded. */
export const InputRequest = z.strictObject({
  type: z.literal('input'),
  session: SessionId,
  data: z.string().min(1).max(inputChars),
})
export type InputRequest = z.infer<typeof InputRequest>

/**
 * A line for a program that reads without showing it; a view is not needed. It is written only if such a program
 * reads at that moment: a shell, or a program that shows what it reads, never gets it. Never recorded.
 */
export const SecretRequest = z.strictObject({
  type: z.literal('secret'),
  session: SessionId,
  data: z.string().min(1).max(inputChars),
})
export type SecretRequest = z.infer<typeof SecretRequest>

/** The program has the secret. */
const SecretFrame = z.object({ type: z.literal('secret_typed'), session: SessionId })

export const ViewportRequest = z.strictObject({
  type: z.literal('viewport'),
  session: SessionId,
  ...viewport,
})
export type ViewportRequest = z.infer<typeof ViewportRequest>

/** Everything before this has been drawn, snapshots included. Who says nothing is sent no more. */
export const AckRequest = z.strictObject({
  type: z.literal('ack'),
  session: SessionId,
  offset: Offset,
})
export type AckRequest = z.infer<typeof AckRequest>

/** The view is open, or the terminal has another size now. `handle` is in its binary messages. */
const ViewingFrame = z.object({
  type: z.literal('viewing'),
  session: SessionId,
  handle: z.number().int().min(1).max(255),
  head: Offset,
  rows: z.number().int(),
  cols: z.number().int(),
})

/** The whole screen, to be drawn on an empty terminal of this size; bytes go on at `offset`. */
export const ScreenFrame = z.object({
  type: z.literal('screen'),
  session: SessionId,
  offset: Offset,
  rows: z.number().int(),
  cols: z.number().int(),
  data: z.string(),
})
export type ScreenFrame = z.infer<typeof ScreenFrame>

/** Kind (1 byte), viewer handle (1), absolute offset (8, a double), then the bytes. */
const bytesKind = 1
const headerBytes = 10

export interface TerminalBytes {
  handle: number
  offset: number
  bytes: Uint8Array
}

export function encodeTerminalBytes({ handle, offset, bytes }: TerminalBytes): Uint8Array {
  const message = new Uint8Array(headerBytes + bytes.length)
  const view = new DataView(message.buffer)
  view.setUint8(0, bytesKind)
  view.setUint8(1, handle)
  view.setFloat64(2, offset)
  message.set(bytes, headerBytes)
  return message
}

/** Null for what is not one of ours, so that later kinds can be told apart. */
export function decodeTerminalBytes(message: Uint8Array): TerminalBytes | null {
  if (message.length < headerBytes || message[0] !== bytesKind) return null
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  return { handle: view.getUint8(1), offset: view.getFloat64(2), bytes: message.subarray(10) }
}

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
