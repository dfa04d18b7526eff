import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'
import type { ModelSetup } from '../../protocol/epoch.ts'
import type { Part } from '../../session/conversation.ts'
import { type Model, ModelError, type ModelRequest, type ReplyPart } from './model.ts'
import type { Usage } from '../../protocol/turn.ts'

export interface ChatOptions {
  setup: ModelSetup
  /** The name the server knows the model by. */
  name: string
  /** Ends before `/chat/completions`. */
  baseUrl: string
  apiKey: string | null
}

/** Any server that speaks the chat completions protocol. Text goes out exactly as it is stored. */
export function createChatModel(options: ChatOptions): Model {
  return {
    setup: options.setup,
    async *reply(request, { signal }) {
      const response = await post(options, { body: chatBody(options.name, request), signal })
      yield* read(response)
    },
  }
}

/** One message a part, in order: nothing is joined, so a longer conversation only appends. */
export function chatBody(name: string, { setup, parts }: ModelRequest): string {
  return JSON.stringify({
    model: name,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'system', content: setup.system }, ...parts.map(message)],
  })
}

function message(part: Part): { role: 'user' | 'assistant'; content: string } {
  return { role: part.kind === 'reply' ? 'assistant' : 'user', content: part.text }
}

async function post(
  { baseUrl, apiKey }: ChatOptions,
  { body, signal }: { body: string; signal: AbortSignal },
): Promise<Response> {
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  }
  let response: Response
  try {
    // A redirect could carry the key to another host.
    response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
  } catch (cause) {
    if (signal.aborted) throw cause
    const message = `The model server at ${baseUrl} cannot be reached. Is it running?`
    throw new ModelError(message, { code: 'model_unreachable', cause })
  }
  if (response.ok) return response
  throw await httpError(response, baseUrl)
}

const ErrorAnswer = z.object({ error: z.object({ message: z.string() }) })

async function httpError(response: Response, baseUrl: string): Promise<ModelError> {
  const text = await response.text().catch(() => '')
  const parsed = ErrorAnswer.safeParse(json(text))
  const said = (parsed.success ? parsed.data.error.message : text).slice(0, 500)
  const retryAfter = Number(response.headers.get('retry-after'))
  const message = `The model server at ${baseUrl} answered ${response.status}: ${said || 'nothing'}`
  return new ModelError(message, {
    code: errorCode(response.status),
    retryAfterMs: retryAfter > 0 ? retryAfter * 1_000 : null,
  })
}

function errorCode(status: number): string {
  if (status === 401 || status === 403) return 'model_auth'
  if (status === 404) return 'model_config'
  if (status === 413) return 'context_full'
  return status === 429 ? 'model_overloaded' : 'model_failed'
}

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: z.number().default(0),
      completion_tokens: z.number().default(0),
      prompt_tokens_details: z.object({ cached_tokens: z.number().default(0) }).nullish(),
    })
    .nullish(),
})
type Chunk = z.infer<typeof Chunk>

async function* read(response: Response): AsyncIterable<ReplyPart> {
  let finish: string | null = null
  let usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for await (const data of sseData(response)) {
    if (data === '[DONE]') break
    const chunk = parseChunk(data)
    for (const { delta, finish_reason: reason } of chunk.choices) {
      if (delta?.content) yield { type: 'text', text: delta.content }
      finish = reason ?? finish
    }
    if (chunk.usage) usage = toUsage(chunk.usage)
  }
  // A provider that closes without an end has been cut; that is not an empty reply.
  if (finish === null) throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
  yield { type: 'end', stop: finish === 'length' ? 'length' : 'done', usage }
}

async function* sseData(response: Response): AsyncIterable<string> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => messages.push(event) })
  const decoder = new TextDecoder()
  if (response.body === null) return
  try {
    for await (const bytes of response.body) {
      parser.feed(decoder.decode(bytes, { stream: true }))
      for (const { data } of messages.splice(0)) yield data
    }
  } catch (cause) {
    throw new ModelError('The connection to the model broke.', { code: 'model_cut', cause })
  }
}

function parseChunk(data: string): Chunk {
  const parsed = Chunk.safeParse(json(data))
  if (parsed.success) return parsed.data
  const message = 'The model server sent something that is not a chat completion chunk.'
  throw new ModelError(message, { code: 'model_failed', cause: parsed.error })
}

function toUsage(usage: NonNullable<Chunk['usage']>): Usage {
  return {
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cacheRead: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWrite: 0,
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
