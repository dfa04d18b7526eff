import { Worker } from 'node:worker_threads'
import { assertNever } from '../../../../base/assert-never.ts'
import type { FromWorker, OpenOptions, ToWorker } from './messages.ts'
import type { Rendered, RenderOptions } from '../output/render-output.ts'
import type { Size, Snapshot } from '../screen/screen.ts'
import type { TextOptions } from '../screen/screen-text.ts'
import { createSendQueue, createPendingReplies, type PendingReplies } from './send-queue.ts'

export interface EmulatorOptions {
  /** The bundled worker.ts. */
  entry: string | URL
  /** The worker ended without being asked to; its screens are gone. Start another from the byte log. */
  onExit: (error: Error) => void
}

export interface ScreenEvents {
  /** The terminal's answers to the queries before an offset: to be written to the PTY, once. */
  onAnswer?: (text: string, offset: number) => void
  onAlternate?: (on: boolean) => void
}

export type Emulator = ReturnType<typeof startEmulator>
export type RemoteScreen = ReturnType<typeof openScreen>

interface Opened {
  queue: ReturnType<typeof createSendQueue>
  events: ScreenEvents
  alternate: boolean
}

/** The worker as its screens use it. */
interface Connection {
  screens: Map<number, Opened>
  replies: Replies
  post(message: ToWorker, transfer?: ArrayBuffer[]): void
  /** The next number that names a screen or a request. */
  nextId(): number
  /** The error that ended the worker; null while it runs. */
  ended(): Error | null
}

/** Off-heap rows do not count; what does is far below this unless something is wrong. */
const maxHeapMb = 512

export function startEmulator({ entry, onExit }: EmulatorOptions) {
  const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
  const screens = new Map<number, Opened>()
  const replies = createReplies()
  let lastId = 0
  let ended: Error | null = null
  const connection: Connection = {
    screens,
    replies,
    post(message, transfer = []) {
      if (ended === null) worker.postMessage(message, transfer)
    },
    nextId: () => (lastId += 1),
    ended: () => ended,
  }

  function end(error: Error): void {
    ended = error
    for (const pending of Object.values(replies)) pending.failAll(error)
    screens.clear()
  }

  function fail(error: Error): void {
    if (ended !== null) return
    end(error)
    onExit(error)
  }

  worker.on('message', (message: FromWorker) => receive(message, connection))
  worker.on('error', (error) => fail(new Error('the emulator failed', { cause: error })))
  worker.on('exit', (code) => fail(new Error(`the emulator ended with code ${code}`)))

  return {
    open: (options: OpenOptions, events: ScreenEvents = {}) =>
      openScreen(connection, options, events),
    /** One run's output as its final text; see renderOutput. */
    render(bytes: Uint8Array, options: RenderOptions): Promise<Rendered | null> {
      if (ended !== null) return Promise.reject(ended)
      const request = connection.nextId()
      const reply = replies.renders.wait(request)
      const copy = new Uint8Array(bytes)
      connection.post({ type: 'render', request, bytes: copy, options }, [copy.buffer])
      return reply
    },
    async close(): Promise<void> {
      if (ended === null) end(new Error('the emulator is closed'))
      await worker.terminate()
    },
  }
}

type Replies = ReturnType<typeof createReplies>

function createReplies() {
  return {
    snapshots: createPendingReplies<Snapshot>(),
    texts: createPendingReplies<string>(),
    renders: createPendingReplies<Rendered | null>(),
  }
}

function receive(message: FromWorker, { screens, replies }: Connection): void {
  switch (message.type) {
    case 'parsed':
      return screens.get(message.screen)?.queue.parsed(message.offset)
    case 'answer':
      return screens.get(message.screen)?.events.onAnswer?.(message.text, message.offset)
    case 'alternate':
      return alternate(screens.get(message.screen), message.on)
    case 'snapshot':
      return replies.snapshots.reply(message.request, message.value)
    case 'text':
      return replies.texts.reply(message.request, message.value)
    case 'rendered':
      return replies.renders.reply(message.request, message.value)
    case 'failed':
      for (const pending of Object.values(replies))
        pending.fail(message.request, new Error(message.message))
      return
    default:
      return assertNever(message)
  }
}

/** One session's screen in the worker. Everything takes effect in the order of the calls. */
function openScreen(
  { screens, replies, post, nextId, ended }: Connection,
  options: OpenOptions,
  events: ScreenEvents,
) {
  const screen = nextId()
  const offset = options.checkpoint?.offset ?? options.offset ?? 0
  const queue = createSendQueue({ screen, offset, post })
  const opened: Opened = { queue, events, alternate: false }
  if (ended() === null) screens.set(screen, opened)
  queue.other({ type: 'open', screen, options })

  function awaitReply<T>(pending: PendingReplies<T>, send: (request: number) => void): Promise<T> {
    if (!screens.has(screen)) return Promise.reject(ended() ?? new Error('the screen is closed'))
    const request = nextId()
    const reply = pending.wait(request)
    send(request)
    return reply
  }

  return {
    /** New bytes. The caller may read them on, but not change them. */
    write: (bytes: Uint8Array) => queue.bytes(bytes, true),
    /** Bytes from the log: shown, but queries in them are not answered again. */
    replay: (bytes: Uint8Array) => queue.bytes(bytes, false),
    resize: (size: Size) => queue.other({ type: 'resize', screen, size }),
    snapshot: () =>
      awaitReply(replies.snapshots, (request) =>
        queue.other({ type: 'snapshot', screen, request }),
      ),
    text: (wanted: TextOptions = {}) =>
      awaitReply(replies.texts, (request) =>
        queue.other({ type: 'text', screen, request, options: wanted }),
      ),
    isAlternate: () => opened.alternate,
    /** Bytes written and not parsed yet. */
    lag: queue.lag,
    /** The offset after the last byte written. */
    offset: queue.end,
    close(): void {
      // It does not wait behind queued bytes: nobody will look at them.
      post({ type: 'close', screen })
      screens.delete(screen)
    },
  }
}

function alternate(screen: Opened | undefined, on: boolean): void {
  if (screen === undefined) return
  screen.alternate = on
  screen.events.onAlternate?.(on)
}
