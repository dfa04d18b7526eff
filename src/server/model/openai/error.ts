import { z } from 'zod'
import { ModelError, type ModelErrorCode, parseJson } from '../model.ts'
import { errorCode, type Fault, isWrongKey, passes, retryDelayIn } from '../transport/post.ts'

/** An error as a server tells it. */
interface Said {
  message: string
  /** As the HTTP status would be, where the error says it; some write it as text. */
  status: number | null
  /** The names of its kind, the closest first. */
  names: readonly string[]
  retryAfterMs: number | null
  /** The input was flagged by a moderation before the model. */
  isFlagged: boolean
}

const Word = z.union([z.string(), z.number()]).nullish().catch(null)

/** OpenRouter puts the words of the provider behind it here, and what its moderation found. */
const Metadata = z
  .object({ raw: z.string().nullish().catch(null), reasons: z.array(z.unknown()).nullish() })
  .nullish()
  .catch(null)

const Body = z.object({
  message: z.string().catch(''),
  code: Word,
  type: Word,
  metadata: Metadata,
  details: z.unknown().optional(),
})

const plain = (message: string): Said => ({
  message,
  status: null,
  names: [],
  retryAfterMs: null,
  isFlagged: false,
})

function saidIn({ message, code, type, metadata, details }: z.infer<typeof Body>): Said {
  const raw = metadata?.raw ?? ''
  const behind = raw === '' ? null : (read(parseJson(raw)) ?? plain(raw))
  const numbers = [code, type].map(Number).filter((number) => number >= 400 && number < 600)
  return {
    message: behind === null ? message : `${message}: ${behind.message}`,
    status: numbers[0] ?? null,
    names: [...(behind?.names ?? []), `${code ?? ''}`, `${type ?? ''}`],
    retryAfterMs: retryDelayIn(details),
    isFlagged: metadata?.reasons != null,
  }
}

const Named = Body.extend({ message: z.string() }).transform(saidIn)
const ErrorAnswer = z.union([
  z.object({ error: Body.transform(saidIn) }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => plain(error)),
  z.object({ detail: z.string() }).transform(({ detail }) => plain(detail)),
  Named,
])

/** OpenAI’s own shape, and those of servers that only resemble it. Google’s puts it into a list. */
function read(value: unknown): Said | null {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return ErrorAnswer.safeParse(one).data ?? null
}

/** The meaning of a refused request; the name that OpenAI gives the error counts first. */
export function openaiFault(status: number, text: string): Fault {
  return faultOf(status, read(parseJson(text)) ?? plain(text))
}

/** An error that came inside the stream, or null if this is none. */
export function streamedError(who: string, value: unknown): ModelError | null {
  const found = read(value)
  if (found === null) return null
  const { said, ...options } = faultOf(statusOf(found), found)
  return new ModelError(`${who} failed: ${said || 'it did not say why'}`, options)
}

/** As the HTTP status would have been. Some put it into the error, some only name its kind. */
function statusOf({ message, status, names }: Said): number {
  if (status !== null) return status
  return names.includes('invalid_request_error') || isFull.test(message) ? 400 : 500
}

type Known = readonly [ModelErrorCode, 'passes' | 'stays']

const named: ReadonlyMap<string, Known> = new Map([
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
  ['image_content_policy_violation', ['model_refused', 'stays']],
])

/** A picture that cannot be read, in all of OpenAI’s names for that: it would be refused each time. */
const isPicture = /(^|_)(image|image_\w+)$/

const unreadableThoughts =
  'The model’s thoughts in this session can no longer be read, perhaps because the key is another one’s. Switch with /model, or begin a new session'

/**
 * In the words of OpenAI, vLLM, llama.cpp, LM Studio, xAI, Groq, Bedrock, Together and TGI, and of Claude and Gemini behind a
 * compatible server. A request over the rate limit alone never passes. vLLM subtracts the prompt from the room there is
 * and complains of the rest.
 */
const isFull =
  /(input|prompt) is too long|input token count.{0,20}exceeds|max_new_tokens.{0,3} must be <=|context.{0,20}(length|window|size|overflow)|maximum (context|prompt length|model length)|max_model_len|request too large|too many tokens|reduce the length of the (messages|prompt)|max_tokens must be at least 1, got -/i

/** In the words of llama.cpp, vLLM, Mistral and the templates of Gemma and Mistral themselves. */
const isTemplate = /roles must alternate|raise_exception|chat template|jinja|expected last role/i

const strictly =
  'The model’s chat template refuses the conversation. If it wants user and assistant in turn, set strictAlternation to true in config.json and start a new session'

function faultOf(status: number, found: Said): Fault {
  const { message: said, names } = found
  if (isTemplate.test(said))
    return { said: `${said.slice(0, 200)}. ${strictly}`, code: 'model_config', transient: false }
  if (names.includes('invalid_encrypted_content'))
    return { said: unreadableThoughts, code: 'model_config', transient: false }
  const retryAfterMs = found.retryAfterMs ?? asksToWait(said)
  const known = knownFault(status, found)
  if (known) return { said, code: known[0], transient: known[1] === 'passes', retryAfterMs }
  // By the status alone: words like “too long” stand in complaints about other things too.
  return { said, code: errorCode(status, ''), transient: passes(status), retryAfterMs }
}

/** The meaning of its names and words, whatever the status would mean. */
function knownFault(status: number, { message: said, names, isFlagged }: Said): Known | null {
  if (/^request too large/i.test(said)) return ['context_full', 'stays']
  const name = names.find((one) => named.has(one))
  if (name !== undefined) return named.get(name) ?? null
  if (names.some((one) => isPicture.test(one))) return ['model_failed', 'stays']
  if (isFlagged) return ['model_refused', 'stays']
  if (status === 400 && isWrongKey(said)) return ['model_auth', 'stays']
  const isRefused = status === 400 || status === 422
  return isRefused && isFull.test(said) ? ['context_full', 'stays'] : null
}

/** “Please try again in 1.2s.” */
function asksToWait(said: string): number | null {
  const [, number, unit] = /try again in (\d+(?:\.\d+)?)\s*(ms|s)\b/i.exec(said) ?? []
  if (number === undefined) return null
  return Math.ceil(Number(number) * (unit?.toLowerCase() === 'ms' ? 1 : 1_000))
}
