import { limits } from '../../../protocol/limits.ts'
import { ModelError, type OpenOptions, parseJson } from '../model.ts'
import { isClosed, textOf, untrusted, versionHint } from '../transport/post.ts'
import { send } from '../transport/send.ts'
import { type ListedModel, listPage } from './list-page.ts'

export type ProviderAddress = Pick<OpenOptions, 'baseUrl' | 'apiKey' | 'headers' | 'agents'> & {
  adapter: string
}

/** All pages of a provider’s list. */
export interface ProviderList {
  models: readonly ListedModel[]
  /** The reason why there is no list, as a sentence; null: there is. */
  problem: string | null
  /** The provider has no list at all, though it may have models. */
  isMissing?: boolean
}

/** A provider that takes longer to list its models would be no help either. */
const patienceMs = 2_000
/** A person who tests a provider waits for it. */
export const testPatienceMs = 15_000
/** A thousand a page at most providers; a list that goes on has no end. */
const mostPages = 20

/** Which models a provider says it has, and whether it answers at all. */
export async function askProvider(
  address: ProviderAddress,
  longestMs = patienceMs,
): Promise<ProviderList> {
  const signal = AbortSignal.timeout(longestMs)
  const models: ListedModel[] = []
  let after: string | null = null
  try {
    for (let page = 0; page < mostPages; page += 1) {
      const asked = await askPage(address, { after, signal })
      if ('problem' in asked) return asked
      models.push(...asked.models)
      if (asked.next === null || asked.next === after) break
      after = asked.next
    }
    return { models, problem: null }
  } catch (error) {
    return none(whyNot(error))
  }
}

/** A proxy, or a certificate, that stands in the way is told as such. */
function whyNot(error: unknown): string {
  const known = error instanceof ModelError ? error : untrusted('It', error)
  return known?.message ?? 'It cannot be reached.'
}

async function askPage(
  address: ProviderAddress,
  { after, signal }: { after: string | null; signal: AbortSignal },
) {
  const { url, headers } = listing(address, after)
  const ask = () => send(url, { headers, signal, agents: address.agents })
  // A kept connection may close as it is taken; to read a list twice costs nothing.
  const answer = await ask().catch((error: unknown) => {
    if (signal.aborted || !isClosed(error)) throw error
    return ask()
  })
  const { statusCode: status = 0 } = answer
  // Google and xAI tell a wrong key so.
  if (status === 400 && wrongKey.test(await textOf(answer, limits.wordChars)))
    return none('It does not accept the key.')
  if (status !== 200) answer.destroy()
  if (status === 401) return none('It does not accept the key.')
  // Some keys may talk to models and not list them.
  if (status === 403)
    return { ...none('It answered 403: this key may not list its models.'), isMissing: true }
  if (status === 404 || status === 405)
    return {
      ...none(`It answered ${status}: it lists no models.${versionHint(address)}`),
      isMissing: true,
    }
  if (status !== 200) return none(`It answered ${status}.`)
  const text = await textOf(answer, limits.modelListChars)
  // A list that was cut off is none.
  signal.throwIfAborted()
  if (text.length > limits.modelListChars) return none('Its list of models has no end.')
  return listPage(parseJson(text)) ?? none('It answers with no list of models.')
}

const wrongKey = /\b(incorrect|invalid) api key|\bapi key not valid/i

const none = (problem: string): ProviderList & { problem: string } => ({ models: [], problem })

function listing(
  { adapter, baseUrl, apiKey, headers: own = {} }: ProviderAddress,
  after: string | null,
): { url: string; headers: Readonly<Record<string, string>> } {
  const base = baseUrl.replace(/\/+$/, '')
  const key = apiKey ?? ''
  const page = (name: string) => (after === null ? '' : `&${name}=${encodeURIComponent(after)}`)
  if (adapter === 'gemini') {
    const url = `${base}/v1beta/models?pageSize=1000${page('pageToken')}`
    return { url, headers: { 'x-goog-api-key': key, ...own } }
  }
  if (adapter === 'anthropic') {
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01', ...own }
    return { url: `${base}/v1/models?limit=1000${page('after_id')}`, headers }
  }
  const bearer = key === '' ? {} : { authorization: `Bearer ${key}` }
  return { url: `${base}/models`, headers: { ...bearer, ...own } }
}
