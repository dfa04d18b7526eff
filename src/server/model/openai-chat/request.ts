import type { Tool } from '../../../protocol/events/epoch.ts'
import { type Model, ModelError, type ModelRequest, type OpenOptions } from '../model.ts'
import { cacheKey } from '../openai/cache-key.ts'
import { readChat } from './stream.ts'
import { openaiFault, streamedError } from '../openai/error.ts'
import { post, versionHint } from '../transport/post.ts'
import { sseData } from '../transport/sse.ts'

/** Any server that speaks the chat completions protocol. Text goes out exactly as it is stored. */
export function createChatModel(options: OpenOptions): Model {
  const { setup, who, apiKey, agents } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...options.headers,
  }
  const faultOf: typeof openaiFault = (status, text) => {
    const fault = openaiFault(status, text)
    const hint =
      status === 404 ? versionHint({ adapter: 'openai-chat', baseUrl: options.baseUrl }) : ''
    return { ...fault, said: `${fault.said}${hint}` }
  }
  /** Mistral, and others that know it not, refuse it; they tell the usage unasked or not at all. */
  let asksUsage = !isMistral(options.baseUrl)
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const send = () => {
        const body = chatBody({ ...options, asksUsage }, request)
        return post({ url, who, headers, body, signal, agents, heard, faultOf })
      }
      const response = await send().catch((error: unknown) => {
        if (!asksUsage || !(error instanceof ModelError) || !/stream_options/.test(error.message))
          throw error
        asksUsage = false
        return send()
      })
      const errorIn = (value: unknown) => streamedError(who, value)
      yield* readChat(sseData(response, { signal, heard, errorIn }), who)
    },
  }
}

/** The messages stand in the body as their wire wrote them. How long a reply may be is the server’s business. */
export function chatBody(
  {
    name,
    baseUrl,
    asksUsage = true,
  }: Pick<OpenOptions, 'name' | 'baseUrl'> & { asksUsage?: boolean },
  request: ModelRequest,
): string {
  const { setup, messages } = request
  const head = JSON.stringify({
    model: name,
    stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }),
    // A server that only resembles OpenAI’s may refuse what it does not know.
    ...(isOpenai(baseUrl) && { prompt_cache_key: cacheKey(request) }),
  })
  const tools = setup.tools.length === 0 ? '' : `,"tools":[${setup.tools.map(tool).join(',')}]`
  const system = JSON.stringify({ role: 'system', content: setup.system })
  return `${head.slice(0, -1)}${tools},"messages":[${[system, ...messages].join(',')}]}`
}

function isMistral(baseUrl: string): boolean {
  return /^https:\/\/[\w.-]*\.mistral\.ai(\/|$)/.test(baseUrl)
}

function isOpenai(baseUrl: string): boolean {
  return /^https:\/\/api\.openai\.com(\/|$)/.test(baseUrl)
}

function tool({ name, description, parameters }: Tool): string {
  const head = JSON.stringify({ name, description }).slice(0, -1)
  return `{"type":"function","function":${head},"parameters":${parameters}}}`
}
