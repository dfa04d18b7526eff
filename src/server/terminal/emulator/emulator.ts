import { Worker } from 'node:worker_threads'
import { assertNever } from '../../../protocol/assert-never.ts'
import { createAsks } from './asks.ts'
import type { FromWorker, OpenOptions, ToWorker } from './messages.ts'
import type { Rendered, RenderOptions } from './render-output.ts'
import type { Size, Snapshot } from './screen.ts'
import type { TextOptions } from './screen-text.ts'
import { createSendQueue, type SendQueue } from './send-queue.ts'

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
  /** The emulator failed on some output and started this screen anew. For diagnostics. */
  onFault?: (message: string) => void
}

/** One session's screen in the worker. Everything takes effect in the order of the calls. */
export interface RemoteScreen {
  /** New bytes. The caller may read them on, but not change them. */
  write: (bytes: Uint8Array) => void
  /** Bytes from the log: shown, but queries in them are not answered again. */
  replay: (bytes: Uint8Array) => void
  resize: (size: Size) => void
  snapshot: () => Promise<Snapshot>
  text: (options?: TextOptions) => Promise<string>
  isAlternate: () => boolean
  /** Bytes written and not parsed yet. */
  lag: () => number
  /** The offset after the last byte written. */
  offset: () => number
  close: () => void
}

export interface Emulator {
  open: (options: OpenOptions, events?: ScreenEvents) => RemoteScreen
  /** One run's output as its final text; see renderOutput. */
  render: (bytes: Uint8Array, options: RenderOptions) => Promise<Rendered | null>
  close: () => Promise<void>
}

interface Opened {
  queue: SendQueue
  events: ScreenEvents
  alternate: boolean
}

/** Off-heap rows do not count; what does is far below this unless something is wrong. */
const maxHeapMb = 512

export function startEmulator({ entry, onExit }: EmulatorOptions): Emulator {
  const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
  const screens = new Map<number, Opened>()
  const snapshots = createAsks<Snapshot>()
  const texts = createAsks<string>()
  const renders = createAsks<Rendered | null>()
  let lastId = 0
  let ended: Error | null = null

  function post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    if (ended === null) worker.postMessage(message, transfer)
  }

  function end(error: Error): void {
    if (ended !== null) return
    ended = error
    for (const asks of [snapshots, texts, renders]) asks.failAll(error)
    screens.clear()
  }

  function fail(error: Error): void {
    if (ended !== null) return
    end(error)
    onExit(error)
  }

  function receive(message: FromWorker): void {
    switch (message.type) {
      case 'parsed':
        return screens.get(message.screen)?.queue.parsed(message.offset)
      case 'answer':
        return screens.get(message.screen)?.events.onAnswer?.(message.text, message.offset)
      case 'alternate':
        return alternate(screens.get(message.screen), message.on)
      case 'fault':
        return screens.get(message.screen)?.events.onFault?.(message.message)
      case 'snapshot':
        return snapshots.reply(message.ask, message.value)
      case 'text':
        return texts.reply(message.ask, message.value)
      case 'rendered':
        return renders.reply(message.ask, message.value)
      case 'failed':
        for (const asks of [snapshots, texts, renders])
          asks.fail(message.ask, new Error(message.message))
        return
      default:
        return assertNever(message)
    }
  }

  worker.on('message', receive)
  worker.on('error', (error) => fail(new Error('the emulator failed', { cause: error })))
  worker.on('exit', (code) => fail(new Error(`the emulator ended with code ${code}`)))

  function open(options: OpenOptions, events: ScreenEvents = {}): RemoteScreen {
    const screen = (lastId += 1)
    const offset = options.checkpoint?.offset ?? options.offset ?? 0
    const queue = createSendQueue({ screen, offset, post })
    const opened: Opened = { queue, events, alternate: false }
    if (ended === null) screens.set(screen, opened)
    queue.other({ type: 'open', screen, options })

    function ask<T>(from: { ask(id: number): Promise<T> }, send: (id: number) => void): Promise<T> {
      if (ended !== null || !screens.has(screen))
        return Promise.reject(ended ?? new Error('the screen is closed'))
      const id = (lastId += 1)
      const reply = from.ask(id)
      send(id)
      return reply
    }

    return {
      write: (bytes) => queue.bytes(bytes, true),
      replay: (bytes) => queue.bytes(bytes, false),
      resize: (size) => queue.other({ type: 'resize', screen, size }),
      snapshot: () => ask(snapshots, (id) => queue.other({ type: 'snapshot', screen, ask: id })),
      text: (wanted = {}) =>
        ask(texts, (id) => queue.other({ type: 'text', screen, ask: id, options: wanted })),
      isAlternate: () => opened.alternate,
      lag: queue.lag,
      offset: queue.end,
      close() {
        // Not behind what is still queued: nobody will look at it.
        post({ type: 'close', screen })
        screens.delete(screen)
      },
    }
  }

  return {
    open,
    render(bytes, options) {
      if (ended !== null) return Promise.reject(ended)
      const id = (lastId += 1)
      const reply = renders.ask(id)
      const copy = new Uint8Array(bytes)
      post({ type: 'render', ask: id, bytes: copy, options }, [copy.buffer])
      return reply
    },
    async close() {
      end(new Error('the emulator is closed'))
      await worker.terminate()
    },
  }
}

function alternate(screen: Opened | undefined, on: boolean): void {
  if (screen === undefined) return
  screen.alternate = on
  screen.events.onAlternate?.(on)
}
