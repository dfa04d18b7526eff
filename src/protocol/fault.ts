import { z } from 'zod'
import { eventBase } from './event-base.ts'

/** The world failed. The wire name is `error`. */
export const Fault = z.object({
  ...eventBase,
  type: z.literal('error'),
  code: z.string().regex(/^[a-z_]+$/),
  message: z.string(),
  fatal: z.boolean(),
  retryAfterMs: z.number().int().nonnegative().nullable(),
})
export type Fault = z.infer<typeof Fault>
