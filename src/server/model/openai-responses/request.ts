import type { Tool } from '../../../protocol/events/epoch.ts'
import { type Model, ModelError, type ModelRequest, type OpenOptions } from '../model.ts'
import { cacheKey } from '../openai/cache-key.ts'
import { openaiFault, streamedError } from '../openai/error.ts'
import { readResponse } from './stream.ts'
import { post } from '../transport/post.ts'
import { sseData } from '../transport/sse.ts'

/**
 * OpenAI’s responses. Nothing is stored there: each request brings all of the conversation, with the
 * model’s thoughts in a form that only OpenAI can read.
 */
export function createResponsesModel(options: OpenOptions): Model {
  const { setup, name, who, apiKey, agents } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/responses`
  const headers = {
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...options.headers,
  }
  const faultOf: typeof openaiFault = (status, text) => {
    const fault = openaiFault(status, text)
    if (status !== 404 || /model/i.test(fault.said)) return fault
    return { ...fault, said: `${fault.said || 'nothing'}. ${chatInstead(setup.model)}` }
  }
  /** Models that do not think refuse to be asked for their thoughts, and some accounts may not read them. */
  let thinks = true
  let tells = true
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const send = () => {
        const body = responsesBody({ name, thinks, tells }, request)
        return post({ url, who, headers, body, signal, agents, heard, faultOf })
      }
      const sendLess = (error: unknown) => {
        if (thinks && isThoughtless(error)) thinks = false
        else if (tells && isTaciturn(error)) tells = false
        else throw error
        return send()
      }
      const response = await send().catch(sendLess).catch(sendLess)
      const errorIn = (value: unknown) => streamedError(who, value)
      const events = sseData(response, { signal, heard, errorIn })
      yield* readResponse(events, { who, model: request.setup.model })
    },
  }
}

/** Most servers that OPENAI_BASE_URL is pointed at know chat completions alone. */
function chatInstead(model: string): string {
  const [provider, ...name] = model.split('/')
  const take =
    provider === 'openai' ? `take openai-chat/${name.join('/')}` : 'set its wire to openai-chat'
  return `If this server speaks chat completions and no responses, ${take}`
}

function isThoughtless(error: unknown): boolean {
  return error instanceof ModelError && /encrypted content is not supported/i.test(error.message)
}

/**
 * “Unsupported parameter: 'reasoning.summary'”, “Your organization must be verified to generate reasoning summaries”. What
 * is said of a thought within the input is another matter: asking for none would hide it, and the thoughts to come.
 */
const taciturn =
  /(unsupported|unknown|unrecognized) [a-z ]+: '?reasoning\b|(^|[^\w.\]])reasoning[. ]summar/i

function isTaciturn(error: unknown): boolean {
  return error instanceof ModelError && taciturn.test(error.message)
}

/** The items stand in the body as their wire wrote them. */
export function responsesBody(
  { name, thinks, tells }: { name: string; thinks: boolean; tells: boolean },
  request: ModelRequest,
): string {
  const { setup, messages } = request
  const head = JSON.stringify({
    model: name,
    stream: true,
    store: false,
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    // A model that thinks for minutes without a word looks dead.
    ...(thinks && tells && setup.renderVersion > 1 && { reasoning: { summary: 'auto' } }),
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
