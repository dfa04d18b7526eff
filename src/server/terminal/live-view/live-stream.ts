import type { Hello } from '../../../protocol/holder/holder.ts'
import type { Size, Snapshot } from '../emulator/screen/screen.ts'
import type { SharedEmulator } from '../emulator/worker/shared-emulator.ts'
import type { HolderClient } from '../holder/client.ts'
import { look, type Look } from '../byte-log/read-screen.ts'
import { createByteStream } from './byte-stream.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createLiveScreen } from './live-screen.ts'
import { createSyncedLog, type SyncedLog } from './synced-log.ts'
import { createViewers } from './viewers.ts'
import type { ViewerSink } from './viewer.ts'

export interface LiveStreamDeps {
  /** The byte log's folder. */
  folder: string
  emulator: SharedEmulator
  size(): Size
  client(): HolderClient | null
  /** The stream's end as the holder said it, whether it is followed or not. */
  end(): number
  onAlternate(): void
  /** At a prompt no query is on its way, so none is lost when the holder answers again. */
  isBusy(): boolean
  /** Nobody looks any more: nothing is followed until somebody does. */
  onRest(): void
}

const resetAll = '\x1bc'
/** A few screens of plain text. */
const plainBytes = 16 * 1024
/** After this long without a viewer the emulator stops following: a reload is quicker. */
const restMs = 30_000

/** The terminal's bytes on their way to those who watch, and the screen that they draw. */
export function createLiveStream(deps: LiveStreamDeps) {
  const { folder, emulator, size, client, end } = deps
  let resting: NodeJS.Timeout | undefined
  const log = createSyncedLog(folder, async () => client()?.sync())
  const { screen, checkpoints } = createKeptScreen(deps, { log, head: () => stream.head() })
  const viewers = createViewers({
    flush() {
      batch.flush()
      return stream.head()
    },
    read: log.exactly,
    snapshot: () => screen.snapshot().catch(screen.snapshot).catch(plain),
    snapshotLag: screen.lag,
  })
  const plain = () => plainScreen(size(), stream.head())
  const batch = batchBytes(viewers.send)
  const isWatched = () => viewers.count() > 0
  const stream = createByteStream({
    read: log.read,
    isWatched: () => screen.isOpen() || isWatched(),
    onBytes(offset, bytes) {
      screen.feed(offset, bytes)
      checkpoints.changed(bytes.length)
      if (isWatched()) batch.push(offset, bytes)
    },
  })

  function restLater(): void {
    clearTimeout(resting)
    if (!isWatched()) resting = setTimeout(rest, restMs).unref()
  }

  function rest(): void {
    if (isWatched()) return
    if (deps.isBusy()) return restLater()
    screen.rest()
    deps.onRest()
  }

  return {
    attach(hello: Hello, holder: HolderClient): void {
      checkpoints.found(hello.checkpoint)
      if (!screen.isOpen()) return
      screen.answersFrom(null)
      holder.answering(false)
    },
    /** Goes on from here; what was missed comes from the log. */
    reach: stream.reach,
    push: stream.push,
    /** The holder answers no queries from here on. */
    quiet: screen.answersFrom,
    view(sink: ViewerSink, from: number | null) {
      screen.open()
      const viewer = viewers.add(sink, from)
      const remove = () => {
        viewer.remove()
        restLater()
      }
      return { ack: viewer.ack, remove }
    },
    resized(next: Size): void {
      screen.resize(next)
      checkpoints.changed(0)
      batch.flush()
    },
    isAlternate: screen.isAlternate,
    head: stream.head,
    readScreen: (wanted: Look) =>
      look(wanted, { emulator, log, size, head: end, checkpoint: checkpoints.latest }),
    async putAside(): Promise<void> {
      await checkpoints.take(screen.snapshot())
      restLater()
    },
    close(): void {
      clearTimeout(resting)
      checkpoints.close()
      screen.close()
    },
  }
}

/** Without an emulator the end of the stream still says more than nothing. */
function plainScreen(size: Size, head: number): Snapshot {
  return { ...size, offset: Math.max(0, head - plainBytes), data: resetAll }
}

/** The screen, and the last one that was put aside, from which the next is drawn. */
function createKeptScreen(
  { emulator, size, client, onAlternate }: LiveStreamDeps,
  { log, head }: { log: SyncedLog; head(): number },
) {
  const screen = createLiveScreen({
    emulator,
    size,
    head,
    readStart: (to) => log.start(to, checkpoints.latest()),
    takeAnswers: (on) => client()?.answering(!on),
    answer: (text, offset) => client()?.answer(offset, Buffer.from(text)),
    onAlternate,
  })
  const checkpoints = createCheckpoints({
    snapshot: () => (screen.isOpen() ? screen.snapshot() : null),
    keep: (checkpoint) => client()?.checkpoint(checkpoint),
  })
  return { screen, checkpoints }
}

/** Larger messages stall a viewer, smaller ones cost more than their bytes. */
const maxBytes = 64 * 1024
/** Below what an eye notices, long enough to join the 4 KB reads of a flood. */
const maxWaitMs = 4

/** Joins neighbouring pieces of the stream into few. */
function batchBytes(send: (offset: number, bytes: Uint8Array) => void) {
  let pieces: Uint8Array[] = []
  let start = 0
  let length = 0
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (length === 0) return
    const [only] = pieces
    const all = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
    pieces = []
    length = 0
    for (let at = 0; at < all.length; at += maxBytes)
      send(start + at, all.subarray(at, at + maxBytes))
  }

  return {
    push(offset: number, bytes: Uint8Array): void {
      if (offset !== start + length) flush()
      if (length === 0) start = offset
      pieces.push(bytes)
      length += bytes.length
      if (length >= maxBytes) flush()
      else timer ??= setTimeout(flush, maxWaitMs)
    },
    flush,
  }
}
