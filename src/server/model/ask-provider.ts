import { z } from 'zod'

export interface ProviderAddress {
  adapter: string
  baseUrl: string
  apiKey: string | null
}

/** One that takes longer to say what it has would be no help either. */
const patienceMs = 2_000

const OfOpenai = z.object({ data: z.array(z.object({ id: z.string() })) })
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
    return { names: namesIn(await response.json()), problem: null }
  } catch {
    return { names: [], problem: 'It cannot be reached.' }
  }
}

function listing({ adapter, baseUrl, apiKey }: ProviderAddress): {
  url: string
  headers: Record<string, string>
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
  if (openai.success) return openai.data.data.map(({ id }) => id)
  const gemini = OfGemini.safeParse(answer)
  if (!gemini.success) return []
  return gemini.data.models
    .filter((model) => model.supportedGenerationMethods.includes('generateContent'))
    .map(({ name }) => name.replace(/^models\//, ''))
}
