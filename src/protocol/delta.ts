import { z } from 'zod'
import { Seq } from './seq.ts'

/** More of a reply's text. Offsets count UTF-16 units from the reply's start. */
export const MessageDelta = z.object({
  type: z.literal('message_delta'),
  step: Seq,
  offset: z.number().int().nonnegative(),
  text: z.string(),
})
export type MessageDelta = z.infer<typeof MessageDelta>

/** What goes on in an open call: more output at an offset, or a word about its state. */
export const ToolUpdate = z.object({
  type: z.literal('tool_update'),
  request: Seq,
  status: z.enum(['running', 'waiting', 'secret', 'screen', 'stopping', 'killing']).optional(),
  output: z.object({ offset: z.number().int().nonnegative(), text: z.string() }).optional(),
})
export type ToolUpdate = z.infer<typeof ToolUpdate>

export const TerminalUpdate = z.object({
  type: z.literal('terminal'),
  phase: z.enum(['none', 'starting', 'prompt', 'running', 'exited']),
  driver: z.enum(['person', 'model']),
  size: z.object({ rows: z.number().int(), cols: z.number().int() }),
  screen: z.enum(['line', 'alt', 'secret']),
  cwd: z.string().nullable(),
})
export type TerminalUpdate = z.infer<typeof TerminalUpdate>

/** A live-only fragment: losing one loses nothing, the closing event has the whole value. */
export const Delta = z.discriminatedUnion('type', [MessageDelta, ToolUpdate, TerminalUpdate])
export type Delta = z.infer<typeof Delta>
