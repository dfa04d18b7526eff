import { z } from 'zod'
import { Seq } from '../events/seq.ts'
import { Integration } from '../events/shell.ts'

/** More of a reply's text. Offsets count UTF-16 units from the reply's start. */
export const MessageDelta = z.object({
  type: z.literal('message_delta'),
  step: Seq,
  offset: z.number().int().nonnegative(),
  text: z.string(),
})
export type MessageDelta = z.infer<typeof MessageDelta>

/**
 * More of a reply's thoughts, which are shown as far as `limits.thoughtChars`. Offsets count as in `message_delta`.
 * A request that is sent again begins anew: a higher `attempt` takes the place of the thoughts before it.
 */
export const ThinkingDelta = z.object({
  type: z.literal('thinking_delta'),
  step: Seq,
  attempt: z.number().int().positive(),
  offset: z.number().int().nonnegative(),
  text: z.string(),
  /** How long the model has thought, once it says or does something; left out while it thinks. */
  ms: z.number().int().nonnegative().optional(),
})
export type ThinkingDelta = z.infer<typeof ThinkingDelta>

/**
 * News of an open call: more output at an offset, or a word about its state. `shell`: it waits for a
 * shell that is at work or stopped, and can be taken back without a trace. `ending`: it is
 * silent and will be stopped in `endsInMs`, unless it prints, somebody types or wants it kept.
 * `disk_full`: what it prints, or its end, could not be stored.
 */
export const ToolUpdate = z.object({
  type: z.literal('tool_update'),
  request: Seq,
  status: z
    .enum([
      'shell',
      'running',
      'waiting',
      'secret',
      'screen',
      'ending',
      'stopping',
      'killing',
      'disk_full',
    ])
    .optional(),
  endsInMs: z.number().int().nonnegative().optional(),
  output: z.object({ offset: z.number().int().nonnegative(), text: z.string() }).optional(),
})
export type ToolUpdate = z.infer<typeof ToolUpdate>

export const TerminalUpdate = z.object({
  type: z.literal('terminal'),
  /** `moved`: it is another session's now. */
  phase: z.enum(['none', 'starting', 'prompt', 'running', 'exited', 'moved']),
  driver: z.enum(['person', 'model']),
  size: z.object({ rows: z.number().int(), cols: z.number().int() }),
  screen: z.enum(['line', 'alt', 'secret']),
  /** With `secret`: the program that reads it, by the kernel's short name. */
  program: z.string().optional(),
  cwd: z.string().nullable(),
  /** `none`: the shell does not say what it does; only a new one, or adopting it, helps. */
  integration: Integration.default('full'),
  /** A shell inside it waits at its prompt, and could be adopted. */
  hasNested: z.boolean().optional(),
})
export type TerminalUpdate = z.infer<typeof TerminalUpdate>

/** A live-only fragment: losing one loses nothing, the closing event has the whole value. */
export const Delta = z.discriminatedUnion('type', [
  MessageDelta,
  ThinkingDelta,
  ToolUpdate,
  TerminalUpdate,
])
export type Delta = z.infer<typeof Delta>
