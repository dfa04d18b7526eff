import { z } from 'zod'
import { StoredVerdict } from './ask.ts'
import { CallMeta, eventBase } from './event-base.ts'
import { ImageRef } from './message.ts'
import { RunRequest } from './run.ts'
import { Seq } from './seq.ts'

/** A model's act in the terminal, other than running a command in its shell. */
export const TerminalAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('keys'), names: z.array(z.string()) }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('read'), lines: z.number().int().positive(), ansi: z.boolean() }),
  z.object({ type: z.literal('resize'), rows: z.number().int(), cols: z.number().int() }),
])
export type TerminalAct = z.infer<typeof TerminalAct>

/** The ones that reach the program that runs. */
export type TerminalInput = Extract<TerminalAct, { type: 'text' | 'keys' | 'interrupt' }>

/** A file or folder that a prompt names with `@`. */
export const FileRead = z.object({
  /** The path as it was typed, without the `@`. */
  path: z.string(),
  /** The absolute path, links followed. */
  file: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Counted from 1; null: all of it. */
  lines: z.object({ from: z.number().int().min(1), to: z.number().int().min(1) }).nullable(),
})
export type FileRead = z.infer<typeof FileRead>

/** A call: what someone asked to be done, answered exactly once. */
export const ToolRequest = z.object({
  ...eventBase,
  type: z.literal('tool_request'),
  meta: CallMeta,
  name: z.string(),
  /** The arguments as sent: the tag's text, the provider's raw argument string, or a person's raw input. */
  args: z.string(),
  /** Its place among the calls of its reply. */
  index: z.number().int().nonnegative(),
  /** The `step_start` whose reply made it; null when a person did. */
  step: Seq.nullable(),
  /** The provider's id for it, in the tools dialect. */
  callId: z.string().optional(),
  run: RunRequest.optional(),
  act: TerminalAct.optional(),
  read: FileRead.optional(),
  /** The skill that is to be activated. */
  skill: z.string().optional(),
  /** The prompt that it belongs to, whose turn waits for it. */
  prompt: Seq.optional(),
})
export type ToolRequest = z.infer<typeof ToolRequest>

export const CallStatus = z.enum([
  'done',
  'error',
  'cancelled',
  'timeout',
  'denied',
  'skipped',
  'waiting',
  'busy',
  'lost',
])
export type CallStatus = z.infer<typeof CallStatus>

export const ToolResponse = z.object({
  ...eventBase,
  type: z.literal('tool_response'),
  meta: CallMeta,
  request: Seq,
  status: CallStatus,
  /** The whole record as the model reads it, rendered once and frozen. Never a private output. */
  content: z.string(),
  /** Pictures, kept in the store by the hash of their bytes. */
  images: z.array(ImageRef).optional(),
  inContext: z.boolean(),
  /** The policy's word, where it denied the call itself. */
  verdict: StoredVerdict.optional(),
})
export type ToolResponse = z.infer<typeof ToolResponse>
