import type { ModelSetup, Tool } from '../../../protocol/events/epoch.ts'
import { anthropicError, readAnthropic } from './stream.ts'
import { type Model, ModelError, type ModelRequest, type OpenOptions } from '../model.ts'
import { post } from '../transport/post.ts'
import { sseData } from '../transport/sse.ts'

/** Anthropic’s messages protocol. Text goes out exactly as it is stored. */
export function createAnthropicModel(options: OpenOptions): Model {
  const { setup, name, who, apiKey, agents } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/v1/messages`
  const headers = {
    'anthropic-version': '2023-06-01',
    ...(apiKey !== null && { 'x-api-key': apiKey }),
    ...options.headers,
  }
  /** A server that only resembles Anthropic’s may not know how to be asked for thoughts. */
  let tells = setup.thinking !== undefined
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const send = () => {
        const body = anthropicBody({ name, tells }, request)
        return post({ url, who, headers, body, signal, agents, heard })
      }
      const response = await send().catch((error: unknown) => {
        if (!tells || !isTaciturn(error)) throw error
        tells = false
        return send()
      })
      yield* readAnthropic(
        sseData(response, { signal, heard, errorIn: (value) => anthropicError(who, value) }),
        who,
      )
    },
  }
}

/**
 * The messages stand in the body as their wire wrote them, but for the cache marks: at the end of the
 * system prompt, of the last request, where the cache was written, and of this one, for the next.
 * Thoughts are asked for where the epoch says so; else each model does as it does by itself.
 */
export function anthropicBody(
  { name, tells }: { name: string; tells: boolean },
  { setup, messages, sent }: ModelRequest,
): string {
  const thinking = tells && { thinking: { type: 'adaptive', display: setup.thinking } }
  const head = JSON.stringify({
    model: name,
    max_tokens: maxTokens(name, setup),
    stream: true,
    ...thinking,
  })
  const tools = setup.tools.length === 0 ? '' : `,"tools":[${setup.tools.map(tool).join(',')}]`
  const system = JSON.stringify({ type: 'text', text: setup.system }).slice(0, -1)
  const ends = new Set([sent - 1, messages.length - 1])
  const marked = messages.map((message, index) => (ends.has(index) ? withMark(message) : message))
  const talk = [...opening(messages), ...marked].join(',')
  return `${head.slice(0, -1)}${tools},"system":[${system}${mark}}],"messages":[${talk}]}`
}

/**
 * “thinking: Extra inputs are not permitted”, “adaptive thinking is not supported on this model”. What is said of a
 * thought within the messages is another matter: asking for none would hide it, and the thoughts to come.
 */
const taciturn =
  / answered 400: (.*[^.\w`'])?(thinking(\.[\w.]+)?: |adaptive thinking.{0,20}not supported)/is

function isTaciturn(error: unknown): boolean {
  return error instanceof ModelError && taciturn.test(error.message)
}

/** A conversation has to begin with the user, also where a person ran something before saying a word. */
function opening([first]: readonly string[]): readonly string[] {
  if (!first?.startsWith('{"role":"assistant"')) return []
  return ['{"role":"user","content":[{"type":"text","text":"(the session begins)"}]}']
}

const mark = ',"cache_control":{"type":"ephemeral"}'

/** The wire ends each message with its last block: `…}]}`. The mark is that block’s last member. */
function withMark(message: string): string {
  return `${message.slice(0, -3)}${mark}${message.slice(-3)}`
}

function tool({ name, description, parameters }: Tool): string {
  return `${JSON.stringify({ name, description }).slice(0, -1)},"input_schema":${parameters}}`
}

/**
 * The most that a reply may have, which has to be said. Newer models can write more, but nobody reads
 * more in one go, and thoughts have room in it too; more than a model can write is refused.
 */
const mostTokens: readonly (readonly [RegExp, number])[] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4_096],
  [/^claude-3-5-/, 8_192],
  [/^claude-/, 32_000],
]

function maxTokens(name: string, { outputTokens }: Pick<ModelSetup, 'outputTokens'>): number {
  if (outputTokens !== undefined) return Math.min(outputTokens, 32_000)
  return mostTokens.find(([family]) => family.test(name))?.[1] ?? 8_192
}
