import { z } from 'zod'

/** Who caused an event. */
export const By = z.object({
  kind: z.enum(['user', 'model', 'system', 'mcp', 'acp']),
  client: z.string().max(100).optional(),
  name: z.string().max(100).optional(),
})
export type By = z.infer<typeof By>
