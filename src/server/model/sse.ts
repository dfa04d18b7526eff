import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { ModelError } from './model.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

export interface Listening {
  signal?: AbortSignal
  /** Whatever comes is a sign of life, also what says nothing yet: a ping, a piece of an argument. */
  heard?: (() => void) | undefined
}

/** The data of each event of a streamed answer, however the network cut it. Ends early on an abort. */
export async function* sseData(
  response: Response,
  { signal, heard }: Listening = {},
): AsyncIterable<string> {
  if (response.body === null) return
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => messages.push(event) })
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let isRead = false
  let hasData = false
  // A fetch forgets its signal when the collector takes its request, so we do not rely on it.
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const bytes = await readSome(reader)
      isRead = bytes === null
      if (bytes === null) return hasData ? undefined : checkStream(response)
      heard?.()
      parser.feed(decoder.decode(bytes, { stream: true }))
      for (const { data } of messages.splice(0)) {
        hasData = true
        yield data
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    if (!isRead) void readRest(reader)
  }
}

/** A page to log in at, or an answer in one piece, is not a reply that was cut off. */
function checkStream({ headers }: Response): void {
  const type = headers.get('content-type')
  if (type === null || type.startsWith('text/event-stream')) return
  const message = `The model’s server answered with ${type.slice(0, 100)}, not with an event stream. Is its address right?`
  throw new ModelError(message, { code: 'model_config' })
}

async function readSome(reader: Reader): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read()
    return done ? null : value
  } catch (cause) {
    throw new ModelError('The connection to the model broke.', { code: 'model_cut', cause })
  }
}

/** Longer than any server needs to close what it has said to the end. */
const restMs = 1_000

/** Only a connection whose answer was read to its last byte is used again; nobody waits for that. */
async function readRest(reader: Reader): Promise<void> {
  const giveUp = setTimeout(() => void reader.cancel().catch(() => undefined), restMs)
  giveUp.unref()
  try {
    while (!(await reader.read()).done);
  } catch {
    // It was aborted, or broke: there is no connection to keep.
  } finally {
    clearTimeout(giveUp)
  }
}

/** Null for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
