import type { ToWorker } from './messages.ts'

/** Bytes that are sent ahead of the parser: it is never idle, and the screens of one worker take turns. */
const windowBytes = 256 * 1024
/** Few messages instead of one for every 4 KB read; parsing one takes a few milliseconds. */
const messageBytes = 64 * 1024

type Other = Exclude<ToWorker, { type: 'write' }>
type Item = { type: 'bytes'; bytes: Uint8Array; isNew: boolean } | { type: 'other'; message: Other }

interface SendDeps {
  screen: number
  offset: number
  post: (message: ToWorker, transfer: ArrayBuffer[]) => void
}

/** Keeps one screen's messages in order and within what the worker has acknowledged. */
export function createSendQueue({ screen, offset: start, post }: SendDeps) {
  let items: Item[] = []
  let end = start
  let sent = start
  let done = start

  /** Neighbouring pieces as one: copied once, into memory that is then handed over. */
  function nextBytes(isNew: boolean): Uint8Array<ArrayBuffer> {
    let length = 0
    let count = 0
    for (const item of items) {
      if (item.type !== 'bytes' || item.isNew !== isNew || length >= messageBytes) break
      length += item.bytes.length
      count += 1
    }
    const all = new Uint8Array(length)
    let at = 0
    for (const item of items.slice(0, count)) {
      if (item.type !== 'bytes') break
      all.set(item.bytes, at)
      at += item.bytes.length
    }
    items = items.slice(count)
    return all
  }

  function send(): void {
    for (let item = items[0]; item !== undefined; item = items[0]) {
      if (item.type === 'other') {
        items = items.slice(1)
        post(item.message, [])
        continue
      }
      if (sent - done >= windowBytes) return
      const bytes = nextBytes(item.isNew)
      const offset = sent
      // The buffer is empty here once it is handed over.
      sent += bytes.length
      post({ type: 'write', screen, offset, bytes, isNew: item.isNew }, [bytes.buffer])
    }
  }

  return {
    bytes(bytes: Uint8Array, isNew: boolean): void {
      if (bytes.length === 0) return
      end += bytes.length
      for (let at = 0; at < bytes.length; at += messageBytes)
        items.push({ type: 'bytes', bytes: bytes.subarray(at, at + messageBytes), isNew })
      send()
    },
    /** Sent after all bytes before it. */
    other(message: Other): void {
      items.push({ type: 'other', message })
      send()
    },
    parsed(at: number): void {
      done = at
      send()
    },
    /** Bytes taken here and not parsed yet. */
    lag: () => end - done,
    /** The end of what was taken. */
    end: () => end,
  }
}

interface Waiting<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

export type PendingReplies<T> = ReturnType<typeof createPendingReplies<T>>

/** Requests to the worker that have no reply yet. Every one is settled: by its reply or by the worker's end. */
export function createPendingReplies<T>() {
  const waiting = new Map<number, Waiting<T>>()

  function take(id: number): Waiting<T> | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  return {
    wait: (id: number) =>
      new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      }),
    reply: (id: number, value: T) => take(id)?.resolve(value),
    fail: (id: number, error: Error) => take(id)?.reject(error),
    failAll(error: Error): void {
      for (const id of waiting.keys()) take(id)?.reject(error)
    },
  }
}
