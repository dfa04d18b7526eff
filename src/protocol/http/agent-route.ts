import { z } from 'zod'
import { limits } from '../limits.ts'

/** SkillForge's stateless route: the caller keeps the history. */
export const AgentRequest = z.strictObject({
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant', 'tool', 'system']),
        content: z.string().max(limits.inputChars),
      }),
    )
    .min(1)
    .max(1_000),
})

export const AgentLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), content: z.string() }),
  z.object({ type: z.literal('tool-call'), command: z.string() }),
  z.object({ type: z.literal('tool-result'), command: z.string(), result: z.string() }),
  z.object({ type: z.literal('iteration-end'), hasMoreCommands: z.boolean() }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('done') }),
])
export type AgentLine = z.infer<typeof AgentLine>
