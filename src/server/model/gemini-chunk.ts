import { z } from 'zod'
import type { Usage } from '../../protocol/turn.ts'
import { ModelError } from './model.ts'
import { providerError } from './post.ts'
import { parseJson } from './sse.ts'

const GeminiPart = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  /** Its arguments are taken from the raw text instead. */
  functionCall: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
})
export type GeminiPart = z.infer<typeof GeminiPart>

const Candidate = z.object({
  content: z.object({ parts: z.array(GeminiPart).nullish() }).nullish(),
  finishReason: z.string().nullish(),
  finishMessage: z.string().nullish(),
})

const tokens = z.number().default(0)

const UsageMetadata = z.object({
  promptTokenCount: tokens,
  cachedContentTokenCount: tokens,
  candidatesTokenCount: tokens,
  thoughtsTokenCount: tokens,
  toolUsePromptTokenCount: tokens,
})

const GeminiChunk = z.object({
  candidates: z.array(Candidate).default([]),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: UsageMetadata.nullish(),
  error: z.object({ code: z.number().default(500) }).optional(),
})

export interface GeminiPiece {
  parts: readonly GeminiPart[]
  /** Null while there is more to come. */
  finish: { reason: string; message: string } | null
  usage: Usage | null
}

/** One event of the stream. An error in it means what the same one would mean instead of a stream. */
export function parseGeminiChunk(data: string, who: string): GeminiPiece {
  const parsed = GeminiChunk.safeParse(parseJson(data))
  if (!parsed.success)
    throw new ModelError(`${who} sent something that is not a piece of a reply.`, {
      code: 'model_failed',
    })
  const { error, promptFeedback, candidates, usageMetadata } = parsed.data
  if (error) throw providerError({ who, status: error.code, body: data })
  const blocked = promptFeedback?.blockReason
  if (blocked) throw refusal(`the prompt was blocked (${blocked})`)
  const { content, finishReason: reason, finishMessage: message } = candidates[0] ?? {}
  return {
    parts: content?.parts ?? [],
    finish: reason ? { reason, message: message ?? '' } : null,
    usage: usageMetadata ? toUsage(usageMetadata) : null,
  }
}

export function refusal(why: string): ModelError {
  return new ModelError(`The model would not answer: ${why}.`, { code: 'model_refused' })
}

function toUsage(usage: z.infer<typeof UsageMetadata>): Usage {
  return {
    input: usage.promptTokenCount + usage.toolUsePromptTokenCount,
    output: usage.candidatesTokenCount + usage.thoughtsTokenCount,
    cacheRead: usage.cachedContentTokenCount,
    cacheWrite: 0,
  }
}
