import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import type { Usage } from '../../protocol/turn.ts'
import { ModelError, type ReplyDelta } from './model.ts'
import { CallPiece, createCallAssembly } from './openai-calls.ts'
import { refusal, streamedError } from './openai-error.ts'
import { parseJson } from './sse.ts'

const Tokens = z.number().int().nonnegative().nullish().catch(null)

const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  /** llama.cpp, DeepSeek. */
  reasoning_content: z.string().nullish(),
  /** Ollama, vLLM. */
  reasoning: z.string().nullish(),
  tool_calls: z.array(CallPiece).nullish(),
})
type Delta = z.infer<typeof Delta>

const Chunk = z.object({
  choices: z
    .array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: z
    .object({
      prompt_tokens: Tokens,
      completion_tokens: Tokens,
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
type Chunk = z.infer<typeof Chunk>

export interface Origin {
  who: string
  /** What the id of a call begins with that came without one. */
  idPrefix: string
}

/** A streamed chat completion as what it says. Without a reason for its end it was cut off. */
export async function* readChat(
  stream: AsyncIterable<string>,
  { who, idPrefix }: Origin,
): AsyncIterable<ReplyDelta> {
  const reply = createChatReply()
  try {
    for await (const data of stream) {
      if (data === '[DONE]') break
      yield* reply.take(parseChunk(who, data))
      if (reply.isTooLong()) break
    }
  } catch (error) {
    const isCut = error instanceof ModelError && error.code === 'model_cut'
    // Broken after its end: nothing of the reply is missing.
    if (!isCut || !reply.isFinished()) throw error
  }
  yield* reply.ending(idPrefix)
}

/** What has to be kept until the end is known. */
function createChatReply() {
  const calls = createCallAssembly()
  const usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let finish = ''
  let refused = ''

  function* take(chunk: Chunk): Iterable<ReplyDelta> {
    for (const { delta, finish_reason: reason } of chunk.choices ?? []) {
      if (delta) yield* said(delta)
      refused += delta?.refusal ?? ''
      for (const piece of delta?.tool_calls ?? []) calls.add(piece)
      // Old versions of Ollama write an empty one into every chunk.
      finish = reason || finish
    }
    count(usage, chunk)
    // As with text: arguments that go on and on have reached the limit.
    if (isTooLong()) finish = 'length'
  }

  function isTooLong(): boolean {
    return calls.length > limits.replyChars || calls.count > limits.replyCalls
  }

  return {
    take,
    isTooLong,
    isFinished: () => finish !== '',
    *ending(idPrefix: string): Iterable<ReplyDelta> {
      if (refused !== '') throw refusal(refused)
      checkEnd(finish)
      yield* calls.calls(idPrefix)
      yield { type: 'end', stop: finish === 'length' ? 'length' : 'done', usage }
    },
  }
}

function* said({ content, reasoning_content, reasoning }: Delta): Iterable<ReplyDelta> {
  // A server that changes the name may send both for a while, with the same words.
  const thought = reasoning_content || reasoning
  if (thought) yield { type: 'thinking', text: thought }
  if (content) yield { type: 'text', text: content }
}

function checkEnd(finish: string): void {
  if (finish === 'content_filter') throw refusal('its content filter stopped the reply')
  // A provider that closes without an end has been cut; that is not an empty reply. vLLM says abort.
  if (finish === '' || finish === 'abort' || finish === 'error')
    throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
}

function parseChunk(who: string, data: string): Chunk {
  const value = parseJson(data)
  const parsed = Chunk.safeParse(value)
  if (parsed.success && (parsed.data.choices || parsed.data.usage)) return parsed.data
  const message = `${who} sent something that is not a chat completion chunk.`
  throw streamedError(who, value) ?? new ModelError(message, { code: 'model_failed' })
}

function count(usage: Usage, { usage: said, timings }: Chunk): void {
  if (said) {
    const details = said.prompt_tokens_details
    usage.input = said.prompt_tokens ?? 0
    usage.output = said.completion_tokens ?? 0
    usage.cacheRead = details?.cached_tokens ?? said.prompt_cache_hit_tokens ?? 0
    usage.cacheWrite = details?.cache_write_tokens ?? 0
  }
  usage.cacheRead = Math.min(usage.cacheRead || (timings?.cache_n ?? 0), usage.input)
}
