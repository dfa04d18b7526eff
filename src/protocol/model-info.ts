import { z } from 'zod'

/** A provider as `tandem models` shows it: what is set up, and whether it answers. */
export const ModelInfo = z.object({
  provider: z.string(),
  label: z.string(),
  /** Its key or address is there. */
  configured: z.boolean(),
  reachable: z.boolean(),
  /** What to do, when it cannot be used. */
  problem: z.string().nullable(),
  /** As `--model` takes them. */
  models: z.array(z.string()),
})
export type ModelInfo = z.infer<typeof ModelInfo>
