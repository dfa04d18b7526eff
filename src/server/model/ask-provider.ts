import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import { type OpenOptions, parseJson } from './model.ts'
import { textOf } from './transport/post.ts'

type ProviderAddress = Pick<OpenOptions, 'baseUrl' | 'apiKey'> & { adapter: string }

/** A provider that takes longer to list its models would be no help either. */
const patienceMs = 2_000

/** Mistral says what a model can do; most say nothing. */
const Capabilities = z.object({ completion_chat: z.boolean().optional() }).nullish().catch(null)
const OfOpenai = z.object({
  data: z.array(z.object({ id: z.string(), capabilities: Capabilities })),
})
const OfGemini = z.object({
  models: z.array(
    z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) }),
  ),
})

/** Which models a provider says it has, and whether it answers at all. */
export async function askProvider(
  address: ProviderAddress,
): Promise<{ names: readonly string[]; problem: string | null }> {
  const { url, headers } = listing(address)
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(url, { headers, signal, redirect: 'error' })
    if (response.status === 401 || response.status === 403)
      return { names: [], problem: 'It does not accept the key.' }
    if (!response.ok) return { names: [], problem: `It answered ${response.status}.` }
    const text = await textOf(response.body, limits.modelListChars)
    if (text.length > limits.modelListChars)
      return { names: [], problem: 'Its list of models has no end.' }
    const answer = parseJson(text)
    if (answer === null) return { names: [], problem: 'It answers with no list of models.' }
    return { names: namesIn(answer), problem: null }
  } catch {
    return { names: [], problem: 'It cannot be reached.' }
  }
}

function listing({ adapter, baseUrl, apiKey }: ProviderAddress): {
  url: string
  headers: HeadersInit
} {
  const base = baseUrl.replace(/\/+$/, '')
  const key = apiKey ?? ''
  if (adapter === 'gemini')
    return { url: `${base}/v1beta/models?pageSize=200`, headers: { 'x-goog-api-key': key } }
  if (adapter === 'anthropic') {
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    return { url: `${base}/v1/models?limit=100`, headers }
  }
  return { url: `${base}/models`, headers: key === '' ? {} : { authorization: `Bearer ${key}` } }
}

function namesIn(answer: unknown): readonly string[] {
  const openai = OfOpenai.safeParse(answer)
  if (openai.success)
    return openai.data.data
      .filter(({ id, capabilities }) => capabilities?.completion_chat ?? !isOther(id))
      .map(({ id }) => id)
  const gemini = OfGemini.safeParse(answer)
  if (!gemini.success) return []
  return gemini.data.models
    .filter((model) => model.supportedGenerationMethods.includes('generateContent'))
    .map(({ name }) => name.replace(/^models\//, ''))
    .filter((name) => !isOther(name))
}

const other =
  /(^|[^a-z])(embed|embedding|embeddings|bge|rerank|reranker|whisper|tts|transcribe|audio|realtime|image|imagen|veo|dall-e|sora|moderation|babbage|davinci|ocr)($|[^a-z])|^gpt-3\.5-turbo-instruct/

/** Models that make vectors, speech or pictures stand in the same list; only their names tell. */
function isOther(name: string): boolean {
  return other.test(name.toLowerCase())
}
