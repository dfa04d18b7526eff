import { z } from 'zod'
import { eventBase } from './event-base.ts'
import { Seq } from './seq.ts'

/** Text sent while a turn runs: visible, editable, delivered at the next step. */
export const InputQueued = z.object({
  ...eventBase,
  type: z.literal('input_queued'),
  text: z.string(),
  /** The queued input this one replaces in an edit. */
  replaces: Seq.optional(),
})
export type InputQueued = z.infer<typeof InputQueued>

export const InputWithdrawn = z.object({
  ...eventBase,
  type: z.literal('input_withdrawn'),
  queued: Seq,
})
