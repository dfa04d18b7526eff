import { z } from 'zod'

/** A model as its provider lists it. Sizes are in tokens, and left out where the list says nothing of them. */
export interface ListedModel {
  name: string
  context?: number
  output?: number
}

export interface ListPage {
  models: readonly ListedModel[]
  /** Names the next page; null: this was the last. */
  next: string | null
}

const Size = z.number().int().positive().nullish().catch(null)
/** Mistral says what a model can do; most say nothing. */
const Capabilities = z.object({ completion_chat: z.boolean().optional() }).nullish().catch(null)

const Model = z.object({
  id: z.string(),
  capabilities: Capabilities,
  /** Together. */
  type: z.string().nullish().catch(null),
  /** In the words of Anthropic, OpenRouter and Together, Groq, Mistral, vLLM, llama.cpp. */
  max_input_tokens: Size,
  context_length: Size,
  context_window: Size,
  max_context_length: Size,
  max_model_len: Size,
  meta: z.object({ n_ctx: Size, n_ctx_train: Size }).nullish().catch(null),
  max_tokens: Size,
  max_completion_tokens: Size,
  top_provider: z.object({ max_completion_tokens: Size }).nullish().catch(null),
})
type Model = z.infer<typeof Model>

const OfOpenai = z.union([
  z.object({
    data: z.array(Model),
    /** Anthropic. */
    has_more: z.boolean().nullish().catch(null),
    last_id: z.string().nullish().catch(null),
  }),
  // Together has no frame around it.
  z.array(Model).transform((data) => ({ data, has_more: null, last_id: null })),
])

const OfGemini = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      supportedGenerationMethods: z.array(z.string()).default([]),
      inputTokenLimit: Size,
      outputTokenLimit: Size,
    }),
  ),
  nextPageToken: z.string().nullish().catch(null),
})

/** One page of a provider’s list, with those of its models that chat; null for what is no list. */
export function listPage(answer: unknown): ListPage | null {
  const openai = OfOpenai.safeParse(answer)
  if (openai.success) {
    const { data, has_more, last_id } = openai.data
    const models = data.filter(chats).map(sized)
    return { models, next: has_more && last_id ? last_id : null }
  }
  const gemini = OfGemini.safeParse(answer)
  if (!gemini.success) return null
  const models = gemini.data.models
    .filter((model) => model.supportedGenerationMethods.includes('generateContent'))
    .map(({ name, inputTokenLimit, outputTokenLimit }) => ({
      name: name.replace(/^models\//, ''),
      ...(inputTokenLimit && { context: inputTokenLimit }),
      ...(outputTokenLimit && { output: outputTokenLimit }),
    }))
    .filter(({ name }) => !isOther(name))
  return { models, next: gemini.data.nextPageToken || null }
}

function chats({ id, type, capabilities }: Model): boolean {
  if (type && togetherOthers.has(type)) return false
  return capabilities?.completion_chat ?? !isOther(id)
}

const togetherOthers: ReadonlySet<string> = new Set([
  'embedding',
  'image',
  'audio',
  'video',
  'rerank',
  'moderation',
  'transcribe',
])

function sized(model: Model): ListedModel {
  const { meta, top_provider } = model
  const context = firstOf(
    model.max_input_tokens,
    model.context_length,
    model.context_window,
    model.max_context_length,
    model.max_model_len,
    meta?.n_ctx,
    meta?.n_ctx_train,
  )
  const { max_tokens, max_completion_tokens } = model
  const output = firstOf(max_tokens, max_completion_tokens, top_provider?.max_completion_tokens)
  return { name: model.id, ...(context && { context }), ...(output && { output }) }
}

function firstOf(...sizes: readonly (number | null | undefined)[]): number | undefined {
  return sizes.find((size) => size != null) ?? undefined
}

const other =
  /(^|[^a-z])(embed|embedding|embeddings|bge|rerank|reranker|whisper|tts|transcribe|audio|realtime|image|imagen|veo|dall-e|sora|moderation|babbage|davinci|ocr)($|[^a-z])|^gpt-3\.5-turbo-instruct/

/** Models that make vectors, speech or pictures stand in the same list; only their names tell. */
function isOther(name: string): boolean {
  return other.test(name.toLowerCase())
}
