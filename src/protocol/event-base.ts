import { z } from 'zod'
import { By } from './by.ts'
import { At, Seq } from './seq.ts'

/** What every event carries. `v` is the version of the event's shape, for upcasters. */
export const eventBase = { v: z.literal(1), seq: Seq, at: At, by: By }

/** On every `tool_*` event, so that a UI can tell its own people's calls from the model's. */
export const CallMeta = z.object({ isClientInitiated: z.boolean() })
export type CallMeta = z.infer<typeof CallMeta>
