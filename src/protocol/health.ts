import { z } from 'zod'

export const Health = z.object({
  version: z.string(),
  protocol: z.number().int(),
  pid: z.number().int(),
  model: z.string(),
  sessions: z.number().int(),
  /** What holds back the programs in a shell, in words. */
  limits: z.string().optional(),
  /** Where the server was started: what a page offers for a first session. */
  folder: z.string().optional(),
})
export type Health = z.infer<typeof Health>
