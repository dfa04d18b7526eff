import { z } from 'zod'

export const Health = z.object({
  version: z.string(),
  protocol: z.number().int(),
  pid: z.number().int(),
  model: z.string(),
  sessions: z.number().int(),
})
export type Health = z.infer<typeof Health>
