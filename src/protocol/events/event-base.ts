import { z } from 'zod'
import { At, Seq } from './seq.ts'

/** The cause of an event: a person, a model, the server or another program. */
export const By = z.object({
  kind: z.enum(['user', 'model', 'system', 'mcp', 'acp']),
  client: z.string().max(100).optional(),
  name: z.string().max(100).optional(),
})
export type By = z.infer<typeof By>

/** The fields of every event. `v` is the version of the event's shape, for upcasters. */
export const eventBase = { v: z.literal(1), seq: Seq, at: At, by: By }

/** On every `tool_*` event, so that a UI can tell its own people's calls from the model's. */
export const CallMeta = z.object({ isClientInitiated: z.boolean() })
