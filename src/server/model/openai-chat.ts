import type { ModelSetup, Tool } from '../../protocol/epoch.ts'
import type { Model, ModelRequest } from './model.ts'
import { cacheKey } from './openai-cache-key.ts'
import { readChat } from './openai-chat-read.ts'
import { openaiFault } from './openai-error.ts'
import { post } from './post.ts'
import { sseData } from './sse.ts'

export interface ChatOptions {
  setup: ModelSetup
  /** The name the server knows the model by. */
  name: string
  /** As people know the server. */
  who: string
  /** Ends before `/chat/completions`. */
  baseUrl: string
  apiKey: string | null
}

/** Any server that speaks the chat completions protocol. Text goes out exactly as it is stored. */
export function createChatModel(options: ChatOptions): Model {
  const { setup, who, apiKey } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) }
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const body = chatBody(options, request)
      const response = await post({ url, who, headers, body, signal, faultOf: openaiFault })
      // The request only grows, so its length makes ids that no other reply has.
      const idPrefix = `call_${request.messages.length}`
      yield* readChat(sseData(response, { signal, heard }), { who, idPrefix })
    },
  }
}

/** The messages stand in the body as their wire wrote them. How long a reply may be is the server’s business. */
export function chatBody(
  { name, baseUrl }: Pick<ChatOptions, 'name' | 'baseUrl'>,
  request: ModelRequest,
): string {
  const { setup, messages } = request
  const head = JSON.stringify({
    model: name,
    stream: true,
    stream_options: { include_usage: true },
    // A server that only resembles OpenAI’s may refuse what it does not know.
    ...(isOpenai(baseUrl) && { prompt_cache_key: cacheKey(request) }),
  })
  const tools = setup.tools.length === 0 ? '' : `,"tools":[${setup.tools.map(tool).join(',')}]`
  const system = JSON.stringify({ role: 'system', content: setup.system })
  return `${head.slice(0, -1)}${tools},"messages":[${[system, ...messages].join(',')}]}`
}

function isOpenai(baseUrl: string): boolean {
  return /^https:\/\/api\.openai\.com(\/|$)/.test(baseUrl)
}

function tool({ name, description, parameters }: Tool): string {
  const head = JSON.stringify({ name, description }).slice(0, -1)
  return `{"type":"function","function":${head},"parameters":${parameters}}}`
}
