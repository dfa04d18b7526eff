import { z } from 'zod'
import { ApprovalMode } from '../events/approval-mode.ts'
import { ReplyPart } from '../events/message.ts'
import { limits } from '../limits.ts'

/** A reply that is more than its text: its parts as they came, the model that said it, and the adapter that reads it. */
const SentReply = z.strictObject({
  model: z.string(),
  adapter: z.string(),
  parts: z.array(ReplyPart),
})

/** A message of a history that the caller keeps. */
export const AgentMessage = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  /** As long as the longest reply: whatever is streamed is a message. The body of a request bounds all of them. */
  content: z.string().max(limits.replyChars),
  /** As `iteration-end` streamed it; counts while its text is the content and all its calls are answered. */
  reply: SentReply.optional(),
  /** The call in the reply before it that a `tool` message answers. */
  call: z.string().optional(),
  /** The content of a `tool` message is the whole record that the model read, and not only a result. */
  record: z.literal(true).optional(),
  /** The seed’s hook has these on its messages; they mean nothing here. */
  id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
})
export type AgentMessage = z.infer<typeof AgentMessage>

/** SkillForge's stateless route: the caller keeps the history. */
export const AgentRequest = z.strictObject({
  messages: z.array(AgentMessage).min(1).max(1_000),
  /** An existing absolute folder; default: where the server was started. */
  workspace: z.string().min(1).max(4_096).optional(),
  /** Whatever would ask is denied in any mode: nobody is there. Default: `guarded`, or `refuse` if that is configured. */
  approval: ApprovalMode.optional(),
})
export type AgentRequest = z.infer<typeof AgentRequest>

export const AgentLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), content: z.string() }),
  z.object({ type: z.literal('tool-call'), command: z.string() }),
  z.object({
    type: z.literal('tool-result'),
    command: z.string(),
    /** The output as the model reads it; how it ended stands in a last line, unless that was a plain exit 0. */
    result: z.string(),
  }),
  z.object({
    type: z.literal('iteration-end'),
    hasMoreCommands: z.boolean(),
    /** All that came into the conversation since the last one: sent back as it is, the next request extends this one. */
    messages: z.array(AgentMessage),
  }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('done') }),
])
export type AgentLine = z.infer<typeof AgentLine>
