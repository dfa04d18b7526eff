import { z } from 'zod'
import type { Usage } from '../../../protocol/events/turn.ts'
import { ModelError, parseJson } from '../model.ts'
import { streamedError } from '../openai/error.ts'
import { CallPiece } from './call-assembly.ts'
import { Detail } from './details.ts'

const Tokens = z.number().int().nonnegative().nullish().catch(null)

/** A piece of Mistral’s list; of what is not known nothing is read. */
const ContentPart = z
  .object({
    type: z.string(),
    text: z.string().optional(),
    thinking: z.array(z.object({ text: z.string().default('') })).optional(),
  })
  .catch({ type: 'unknown' })

export type ContentPart = z.infer<typeof ContentPart>

const Content = z
  .union([z.string(), z.array(ContentPart)])
  .nullish()
  .catch(null)

const Delta = z.object({
  content: Content,
  refusal: z.string().nullish(),
  /** llama.cpp, DeepSeek. */
  reasoning_content: z.string().nullish().catch(null),
  /** Ollama, vLLM. */
  reasoning: z.string().nullish().catch(null),
  /** OpenRouter. */
  reasoning_details: z.array(Detail).nullish().catch(null),
  tool_calls: z.array(CallPiece).nullish(),
})
export type Delta = z.infer<typeof Delta>

const Chunk = z.object({
  object: z.unknown().optional(),
  error: z.unknown().optional(),
  choices: z
    .array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: z
    .object({
      prompt_tokens: Tokens,
      completion_tokens: Tokens,
      total_tokens: Tokens,
      completion_tokens_details: z.object({ reasoning_tokens: Tokens }).nullish().catch(null),
      prompt_tokens_details: z
        .object({ cached_tokens: Tokens, cache_write_tokens: Tokens })
        .nullish(),
      /** DeepSeek. */
      prompt_cache_hit_tokens: Tokens,
    })
    .nullish(),
  /** llama.cpp says here what it took from its cache. */
  timings: z.object({ cache_n: Tokens }).nullish(),
})
export type Chunk = z.infer<typeof Chunk>

/** Fireworks and LM Studio also send chunks that only name themselves. */
function isChunk({ choices, usage, object }: Chunk): boolean {
  return choices != null || usage != null || object === 'chat.completion.chunk'
}

export function parseChunk(who: string, data: string): Chunk {
  const value = parseJson(data)
  const parsed = Chunk.safeParse(value)
  const failed = parsed.success && parsed.data.error != null
  if (parsed.success && !failed && isChunk(parsed.data)) return parsed.data
  const message = `${who} sent something that is not a chat completion chunk.`
  throw streamedError(who, value) ?? new ModelError(message, { code: 'model_failed' })
}

/** xAI counts thoughts beside the completion; only the total tells that they are not part of it. */
function outputOf(said: NonNullable<Chunk['usage']>): number {
  const { prompt_tokens: input, completion_tokens: spoken, total_tokens: total } = said
  const thoughts = said.completion_tokens_details?.reasoning_tokens ?? 0
  const both = (spoken ?? 0) + thoughts
  return total === (input ?? 0) + both ? both : (spoken ?? 0)
}

/** Adds the counts of a chunk: numbers that come again count from the reply’s beginning. */
export function count(usage: Usage, { usage: said, timings }: Chunk): void {
  if (said) {
    const details = said.prompt_tokens_details
    usage.input = said.prompt_tokens ?? 0
    usage.output = outputOf(said)
    usage.cacheRead = details?.cached_tokens ?? said.prompt_cache_hit_tokens ?? 0
    usage.cacheWrite = details?.cache_write_tokens ?? 0
  }
  usage.cacheRead = Math.min(usage.cacheRead || (timings?.cache_n ?? 0), usage.input)
}
