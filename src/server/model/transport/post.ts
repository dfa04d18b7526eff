import { z } from 'zod'
import { ModelError, type ModelErrorCode, parseJson } from '../model.ts'
import type { Agents } from './agents.ts'
import { type Answer, send } from './send.ts'

interface PostOptions {
  url: string
  /** As people know it: `Gemini`, or a server’s address. */
  who: string
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
  /** The connections that it goes over; left out: straight to the address. */
  agents?: Agents | undefined
  /** Told when an answer begins. */
  heard?: (() => void) | undefined
  /** Reads the provider’s own error shape, where status and words are not enough. */
  faultOf?: typeof plainFault
}

/** The meaning of an error answer. */
export interface Fault {
  said: string
  code: ModelErrorCode
  transient: boolean
  retryAfterMs?: number | null
}

/** Sends a request; anything but a good answer is a ModelError with a sentence that says what to do. */
export async function post(options: PostOptions): Promise<Answer> {
  const { url, who, headers, body, signal, agents, heard, faultOf = plainFault } = options
  let answer: Answer
  try {
    answer = await send(url, { headers, body, signal, agents })
  } catch (cause) {
    if (signal.aborted || cause instanceof ModelError) throw cause
    throw untrusted(who, cause) ?? unreachable(who, cause)
  }
  heard?.()
  const { statusCode: status = 0 } = answer
  if (status >= 200 && status < 300) return answer
  throw await httpError(answer, status, { who, faultOf })
}

function unreachable(who: string, cause: unknown): ModelError {
  const what = isClosed(cause) ? 'closed the connection' : 'cannot be reached'
  const message = `${who} ${what}. Is the network up, and the server running?`
  return new ModelError(message, { code: 'model_unreachable', transient: true, cause })
}

export function isClosed(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** The addresses of most servers, as Ollama’s, end with a version; empty where one does, or none belongs there. */
export function versionHint({ adapter, baseUrl }: { adapter: string; baseUrl: string }): string {
  const isBare = adapter.startsWith('openai') && /^https?:\/\/[^/]+\/*$/i.test(baseUrl)
  return isBare ? ` Does its address end with /v1, as ${baseUrl.replace(/\/+$/, '')}/v1?` : ''
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** Node's names of certificates that it does not trust; proxies that read along bring their own. */
const certificate = /CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/

/** Null: the failure is another. */
export function untrusted(who: string, cause: unknown): ModelError | null {
  const code = codeOf(cause)
  if (!certificate.test(code)) return null
  const message = `${who} has a certificate that is not trusted (${code}). If it is your organisation’s, name its file in NODE_EXTRA_CA_CERTS, and restart with tandem stop.`
  return new ModelError(message, { code: 'model_config', cause })
}

/** The shape all of them share: `{error: {message}}`. Google says in its details when to come back. */
const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    details: z.unknown().optional(),
  }),
})
/** Google may put it into a list, as if it were a piece of the stream. */
const ErrorAnswer = z.union([
  ErrorBody,
  z.tuple([ErrorBody], z.unknown()).transform(([one]) => one),
])

async function httpError(
  answer: Answer,
  status: number,
  { who, faultOf }: Required<Pick<PostOptions, 'who' | 'faultOf'>>,
): Promise<ModelError> {
  const text = await textOf(answer, errorChars)
  const { headers } = answer
  if (status < 400) return redirected(who, headers.location ?? null)
  const fault = faultOf(status, text)
  const transient = shouldRetry(headers) ?? fault.transient
  const retryAfterMs = retryHeader(headers) ?? fault.retryAfterMs ?? null
  return faultError(who, status, { ...fault, transient, retryAfterMs })
}

/** The server knows better than its status says; OpenAI and Anthropic tell it. */
function shouldRetry({ 'x-should-retry': said }: Answer['headers']): boolean | null {
  return said === 'true' ? true : said === 'false' ? false : null
}

function retryHeader(headers: Answer['headers']): number | null {
  const ms = Number(headers['retry-after-ms'] ?? NaN)
  return ms > 0 ? ms : retryAfter(headers['retry-after'] ?? null)
}

/** More of an error nobody reads, and one without an end must not be read to it. */
const errorChars = 64 * 1024

/** A little more than that much of an answer at most, and what there is of one that breaks off. */
export async function textOf(
  body: AsyncIterable<Uint8Array> | null,
  maxChars: number,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > maxChars) break
    }
  } catch {
    // The part that has come must do.
  }
  return text
}

function redirected(who: string, location: string | null): ModelError {
  const where = location === null ? 'elsewhere' : `to ${location.slice(0, 200)}`
  const message = `${who} redirects ${where}. Give the address that answers itself.`
  return new ModelError(message, { code: 'model_config' })
}

/** An error in the middle of a reply means the same as one instead of it. */
export function providerError(who: string, status: number, body: string): ModelError {
  return faultError(who, status, plainFault(status, body))
}

function faultError(who: string, status: number, { said, ...options }: Fault): ModelError {
  const isPage = /^\s*<[a-z!]/i.test(said)
  const words = isPage ? 'a web page' : said.slice(0, 500).trimEnd() || 'nothing'
  const end = words.endsWith('.') ? '' : '.'
  return new ModelError(
    `${who} answered ${status}: ${words}${end}${advice(options, isPage)}`,
    options,
  )
}

function advice({ code, transient }: Omit<Fault, 'said'>, isPage: boolean): string {
  if (code === 'model_auth') return ' Is the key right?'
  return isPage && !transient ? ' Is its address right?' : ''
}

function plainFault(status: number, text: string): Fault {
  const parsed = ErrorAnswer.safeParse(parseJson(text))
  const { message: said, details } = parsed.data?.error ?? { message: text }
  const retryAfterMs = retryDelayIn(details)
  return { said, code: errorCode(status, said), transient: passes(status), retryAfterMs }
}

const Details = z.array(z.object({ retryDelay: z.string().optional() }).catch({})).catch([])

/** In the details of Google’s errors, written like `37s`. */
export function retryDelayIn(details: unknown): number | null {
  const delay = Details.parse(details).find((one) => one.retryDelay !== undefined)?.retryDelay
  return retryAfter(delay?.replace(/s$/, '') ?? null)
}

/** A status that may be another one next time: 409 is a lock that timed out. */
export function passes(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

const tooLong = /context.{0,20}(length|window|limit)|too (long|many tokens)|maximum.{0,30}tokens/i

/** Anthropic complains so of more output than a model can write, however short the input. */
const isOutput = /^max_tokens: \d+ > \d+/

const isTooLong = (said: string) => tooLong.test(said) && !isOutput.test(said)

/** Google and xAI answer a wrong key with 400. */
export function isWrongKey(said: string): boolean {
  return /^(incorrect |invalid )?api key /i.test(said)
}

/** The error code for an HTTP status. Providers tell a full context only in words. */
export function errorCode(status: number, said: string): ModelErrorCode {
  if (status === 401 || status === 403) return 'model_auth'
  if (status === 400 && isWrongKey(said)) return 'model_auth'
  if (status === 404) return 'model_config'
  if (status === 413 || (status === 400 && isTooLong(said))) return 'context_full'
  return status === 429 || status === 529 || status === 503 ? 'model_overloaded' : 'model_failed'
}

/** Seconds, or a date. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now()
  return ms > 0 ? ms : null
}
