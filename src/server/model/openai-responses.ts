import type { ModelSetup, Tool } from '../../protocol/epoch.ts'
import { type Model, ModelError, type ModelRequest } from './model.ts'
import { cacheKey } from './openai-cache-key.ts'
import { openaiFault } from './openai-error.ts'
import { readResponse } from './openai-responses-read.ts'
import { post } from './post.ts'
import { sseData } from './sse.ts'

export interface ResponsesOptions {
  setup: ModelSetup
  /** The name the server knows the model by. */
  name: string
  /** As people know the server. */
  who: string
  /** Ends before `/responses`. */
  baseUrl: string
  apiKey: string | null
}

/**
 * OpenAI’s responses. Nothing is stored there: each request brings all of the conversation, with the
 * model’s thoughts in a form that only OpenAI can read.
 */
export function createResponsesModel(options: ResponsesOptions): Model {
  const { setup, name, who, apiKey } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/responses`
  const headers = { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) }
  /** Models that do not think refuse to be asked for their thoughts. */
  let thinks = true
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const send = () => {
        const body = responsesBody({ name, thinks }, request)
        return post({ url, who, headers, body, signal, faultOf: openaiFault })
      }
      const response = await send().catch((error: unknown) => {
        if (!thinks || !isThoughtless(error)) throw error
        thinks = false
        return send()
      })
      yield* readResponse(sseData(response, { signal, heard }), { who, model: request.setup.model })
    },
  }
}

function isThoughtless(error: unknown): boolean {
  return error instanceof ModelError && /encrypted content is not supported/i.test(error.message)
}

/** The items stand in the body as their wire wrote them. */
export function responsesBody(
  { name, thinks }: { name: string; thinks: boolean },
  request: ModelRequest,
): string {
  const { setup, messages } = request
  const head = JSON.stringify({
    model: name,
    stream: true,
    store: false,
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    prompt_cache_key: cacheKey(request),
    instructions: setup.system,
  })
  const tools = setup.tools.length === 0 ? '' : `,"tools":[${setup.tools.map(tool).join(',')}]`
  return `${head.slice(0, -1)}${tools},"input":[${messages.join(',')}]}`
}

/** Not strict: that would ask for every argument, also those that may be left out. */
function tool({ name, description, parameters }: Tool): string {
  const head = JSON.stringify({ type: 'function', name, description, strict: false }).slice(0, -1)
  return `${head},"parameters":${parameters}}`
}
