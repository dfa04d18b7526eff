import { z } from 'zod'
import { ModelError, type ModelErrorCode } from './model.ts'
import { parseJson } from './sse.ts'

export interface PostOptions {
  url: string
  /** As people know it: `Gemini`, or a server’s address. */
  who: string
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
  /** Reads the provider’s own error shape, where status and words are not enough. */
  faultOf?: (status: number, text: string) => Fault
}

/** What an answer that is none means. */
export interface Fault {
  said: string
  code: ModelErrorCode
  transient: boolean
  retryAfterMs?: number | null
}

/** Whatever becomes of the promise, an abort is not kept waiting for it. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Sends a request; anything but a good answer is a ModelError with a sentence that says what to do. */
export async function post(options: PostOptions): Promise<Response> {
  const { url, who, headers, body, signal, faultOf = plainFault } = options
  let response: Response
  try {
    const answer = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      // A redirect could carry the key to another host: it is told, not followed.
      redirect: 'manual',
    })
    response = await orAborted(answer, signal)
  } catch (cause) {
    if (signal.aborted) throw cause
    const message = `${who} cannot be reached. Is the network up, and the server running?`
    throw new ModelError(message, { code: 'model_unreachable', transient: true, cause })
  }
  if (response.ok) return response
  throw await httpError(response, { who, faultOf })
}

/** The shape all of them share: `{error: {message}}`. Google says in its details when to come back. */
const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    details: z.array(z.object({ retryDelay: z.string().optional() })).catch([]),
  }),
})
/** Google may put it into a list, as if it were a piece of the stream. */
const ErrorAnswer = z.union([
  ErrorBody,
  z.tuple([ErrorBody], z.unknown()).transform(([one]) => one),
])

async function httpError(
  response: Response,
  { who, faultOf }: Required<Pick<PostOptions, 'who' | 'faultOf'>>,
): Promise<ModelError> {
  const { status } = response
  const text = await textOf(response)
  if (status < 400) return redirected(who, response.headers.get('location'))
  const fault = faultOf(status, text)
  const retryAfterMs = retryAfter(response.headers.get('retry-after')) ?? fault.retryAfterMs ?? null
  return faultError({ who, status }, { ...fault, retryAfterMs })
}

/** More of an error nobody reads, and one without an end must not be read to it. */
const errorBytes = 64 * 1024

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > errorBytes) break
    }
  } catch {
    // What had come of it has to do.
  }
  return text
}

function redirected(who: string, location: string | null): ModelError {
  const where = location === null ? 'elsewhere' : `to ${location.slice(0, 200)}`
  const message = `${who} redirects ${where}. Give the address that answers itself.`
  return new ModelError(message, { code: 'model_config' })
}

/** What a provider wrote in the middle of a reply means what it would mean instead of one. */
export function providerError({ body, ...from }: Answered & { body: string }): ModelError {
  return faultError(from, plainFault(from.status, body))
}

interface Answered {
  who: string
  status: number
}

function faultError({ who, status }: Answered, { said, ...options }: Fault): ModelError {
  const isPage = /^\s*<[a-z!]/i.test(said)
  const words = isPage ? 'a web page' : said.slice(0, 500) || 'nothing'
  const message = `${who} answered ${status}: ${words}.${advice(options, isPage)}`
  return new ModelError(message.replace('..', '.'), options)
}

function advice({ code, transient }: Omit<Fault, 'said'>, isPage: boolean): string {
  if (code === 'model_auth') return ' Is the key right?'
  return isPage && !transient ? ' Is its address right?' : ''
}

function plainFault(status: number, text: string): Fault {
  const parsed = ErrorAnswer.safeParse(parseJson(text))
  const code = (said: string) => ({
    said,
    code: errorCode(status, said),
    transient: passes(status),
  })
  if (!parsed.success) return code(text)
  const { message, details } = parsed.data.error
  return { ...code(message), retryAfterMs: asksToWait(details) }
}

/** Written like `37s`. */
function asksToWait(details: readonly { retryDelay?: string | undefined }[]): number | null {
  const delay = details.find((one) => one.retryDelay !== undefined)?.retryDelay
  return retryAfter(delay?.replace(/s$/, '') ?? null)
}

/** A status that may be another one next time. */
export function passes(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

const tooLong = /context.{0,20}(length|window|limit)|too (long|many tokens)|maximum.{0,30}tokens/i

/** What an HTTP status means for a person. Providers tell a full context only in words. */
export function errorCode(status: number, said: string): ModelErrorCode {
  if (status === 401 || status === 403) return 'model_auth'
  // Google answers a wrong key with 400.
  if (status === 400 && /^api key /i.test(said)) return 'model_auth'
  if (status === 404) return 'model_config'
  if (status === 413 || (status === 400 && tooLong.test(said))) return 'context_full'
  return status === 429 || status === 529 || status === 503 ? 'model_overloaded' : 'model_failed'
}

/** Seconds, or a date. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now()
  return ms > 0 ? ms : null
}
