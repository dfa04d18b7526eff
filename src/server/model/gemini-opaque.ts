import { z } from 'zod'

/** What Gemini sent with a call that only Gemini can read; kept as JSON in the call’s `opaque`. */
const CallOpaque = z.strictObject({
  /** Not there if Gemini gave the call no id: the one it has is ours, and stays here. */
  functionCallId: z.string().optional(),
  thoughtSignature: z.string().optional(),
})
export type CallOpaque = z.infer<typeof CallOpaque>

export function writeCallOpaque(opaque: CallOpaque): string {
  return JSON.stringify(opaque)
}

/** Empty for what another adapter wrote. */
export function readCallOpaque(opaque: string | undefined): CallOpaque {
  if (opaque === undefined) return {}
  try {
    return CallOpaque.parse(JSON.parse(opaque))
  } catch {
    return {}
  }
}
