import { z } from 'zod'
import { ModelError, type ModelErrorCode, parseJson } from '../model.ts'
import { errorCode, type Fault, passes } from '../transport/post.ts'

const Word = z.union([z.string(), z.number()]).nullish().catch(null)
const Said = z.object({ message: z.string(), code: Word, type: Word })
const Bare = z.object({ code: Word, type: Word }).transform((said) => ({ ...said, message: '' }))
type Said = z.infer<typeof Said>

const plain = (message: string): Said => ({ message, code: null, type: null })

/** OpenAI’s own shape, and those of servers that only resemble it. */
const ErrorAnswer = z.union([
  z.object({ error: z.union([Said, Bare]) }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => plain(error)),
  z.object({ detail: z.string() }).transform(({ detail }) => plain(detail)),
  Said,
])

/** The meaning of a refused request; the name that OpenAI gives the error counts first. */
export function openaiFault(status: number, text: string): Fault {
  const parsed = ErrorAnswer.safeParse(parseJson(text))
  return faultOf(status, parsed.success ? parsed.data : plain(text))
}

/** An error that came inside the stream, or null if this is none. */
export function streamedError(who: string, value: unknown): ModelError | null {
  const parsed = ErrorAnswer.safeParse(value)
  if (!parsed.success) return null
  const { said, ...options } = faultOf(statusOf(parsed.data), parsed.data)
  return new ModelError(`${who} failed: ${said || 'it did not say why'}`, options)
}

/** As the HTTP status would have been. Some put it into the error, some only name its kind. */
function statusOf({ message, code, type }: Said): number {
  if (typeof code === 'number' && code >= 400) return code
  return type === 'invalid_request_error' || isFull.test(message) ? 400 : 500
}

const named: ReadonlyMap<string | number, readonly [ModelErrorCode, 'passes' | 'stays']> = new Map([
  // Money: waiting does not help.
  ['insufficient_quota', ['model_failed', 'stays']],
  ['billing_hard_limit_reached', ['model_failed', 'stays']],
  ['billing_not_active', ['model_failed', 'stays']],
  ['invalid_api_key', ['model_auth', 'stays']],
  ['model_not_found', ['model_config', 'stays']],
  ['context_length_exceeded', ['context_full', 'stays']],
  // llama.cpp
  ['exceed_context_size_error', ['context_full', 'stays']],
  ['content_filter', ['model_refused', 'stays']],
  ['content_policy_violation', ['model_refused', 'stays']],
  ['invalid_prompt', ['model_refused', 'stays']],
  ['rate_limit_exceeded', ['model_overloaded', 'passes']],
  ['server_is_overloaded', ['model_overloaded', 'passes']],
  ['slow_down', ['model_overloaded', 'passes']],
])

/**
 * In the words of OpenAI, vLLM, llama.cpp, LM Studio, xAI and Groq. A request over the rate limit alone never passes. vLLM
 * subtracts the prompt from the room there is and complains of the rest.
 */
const isFull =
  /context.{0,20}(length|window|size|overflow)|maximum (context|prompt length|model length)|max_model_len|request too large|too many tokens|reduce the length of the (messages|prompt)|max_tokens must be at least 1, got -/i

/** In the words of llama.cpp, vLLM, Mistral and the templates of Gemma and Mistral themselves. */
const isTemplate = /roles must alternate|raise_exception|chat template|jinja|expected last role/i

const strictly =
  'The model’s chat template refuses the conversation. If it wants user and assistant in turn, set strictAlternation to true in config.json and start a new session'

function faultOf(status: number, { message: said, code, type }: Said): Fault {
  if (isTemplate.test(said))
    return { said: `${said.slice(0, 200)}. ${strictly}`, code: 'model_config', transient: false }
  const retryAfterMs = asksToWait(said)
  if (/^request too large/i.test(said)) return { said, code: 'context_full', transient: false }
  const name = named.get(code ?? '') ?? named.get(type ?? '')
  if (name) return { said, code: name[0], transient: name[1] === 'passes', retryAfterMs }
  if (status === 400 && isFull.test(said)) return { said, code: 'context_full', transient: false }
  // By the status alone: words like “too long” stand in complaints about other things too.
  return { said, code: errorCode(status, ''), transient: passes(status), retryAfterMs }
}

/** “Please try again in 1.2s.” */
function asksToWait(said: string): number | null {
  const [, number, unit] = /try again in (\d+(?:\.\d+)?)\s*(ms|s)\b/i.exec(said) ?? []
  if (number === undefined) return null
  return Math.ceil(Number(number) * (unit?.toLowerCase() === 'ms' ? 1 : 1_000))
}
