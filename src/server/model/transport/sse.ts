import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { limits } from '../../../protocol/limits.ts'
import { ModelError, parseJson, type ReplyOptions } from '../model.ts'
import type { Answer } from './send.ts'

interface SseOptions extends Partial<ReplyOptions> {
  /** The error in an answer that is no stream, or null: a server that has begun can give it no other status. */
  errorIn?: (value: unknown) => ModelError | null
}

/** The data of each event of a streamed answer, however the network cut it. Ends early on an abort. */
export async function* sseData(
  answer: Answer,
  { signal, heard, errorIn }: SseOptions = {},
): AsyncIterable<string> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (event) => messages.push(event),
    maxBufferSize: limits.replyEventChars,
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return
      answer.destroy()
      throw tooLong()
    },
  })
  const decoder = new TextDecoder()
  let hasData = false
  /** The answer as long as it could be an error in one piece. */
  let whole = ''
  try {
    for await (const bytes of pieces(answer, signal)) {
      heard?.()
      const text = decoder.decode(bytes, { stream: true })
      if (!hasData && whole.length < wholeChars) whole += text
      parser.feed(text)
      for (const { data } of messages.splice(0)) {
        hasData = true
        yield data
      }
    }
    if (!hasData && signal?.aborted !== true) throwIfNone(answer, errorIn?.(parseJson(whole)))
  } finally {
    readRest(answer)
  }
}

/** No error is longer. */
const wholeChars = 64 * 1024

/** A page to log in at, or an answer in one piece, is not a reply that was cut off. */
function throwIfNone({ headers }: Answer, error: ModelError | null | undefined): void {
  if (error) throw error
  const type = headers['content-type']
  if (type === undefined || type.startsWith('text/event-stream')) return
  const message = `The model’s server answered with ${type.slice(0, 100)}, not with an event stream. Is its address right?`
  throw new ModelError(message, { code: 'model_config' })
}

/** Kept until its line ends, it would take all memory. */
function tooLong(): ModelError {
  const megabytes = limits.replyEventChars / 1024 / 1024
  const message = `The model’s server sent one event of more than ${megabytes} MB without an end. Is its address right?`
  return new ModelError(message, { code: 'model_failed' })
}

/** The bytes as they come, until there are no more or nobody wants them. */
async function* pieces(answer: Answer, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  try {
    yield* answer.iterator({ destroyOnReturn: false })
  } catch (cause) {
    if (signal?.aborted) return
    const message = 'The connection to the model broke.'
    throw new ModelError(message, { code: 'model_cut', transient: true, cause })
  }
}

/** Longer than any server needs to close what it has said to the end. */
const restMs = 1_000

/** Only a connection whose answer was read to its last byte is used again; nobody waits for that. */
function readRest(answer: Answer): void {
  if (answer.readableEnded || answer.destroyed) return
  const giveUp = setTimeout(() => answer.destroy(), restMs)
  giveUp.unref()
  answer.once('close', () => clearTimeout(giveUp))
  answer.resume()
}
