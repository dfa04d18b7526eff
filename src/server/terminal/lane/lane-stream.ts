import type { Hello } from '../../../protocol/holder.ts'
import type { Size, Snapshot } from '../emulator/screen.ts'
import type { HolderClient } from '../holder-client.ts'
import { look, type Look, type Looked } from '../look.ts'
import { batchBytes } from './batch-bytes.ts'
import { createByteStream } from './byte-stream.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createLaneLog } from './lane-log.ts'
import { createLiveScreen } from './live-screen.ts'
import type { SharedEmulator } from './shared-emulator.ts'
import { createViewers, type ViewerSink, type Viewers } from './viewers.ts'

export interface LaneStreamDeps {
  /** The byte log's folder. */
  folder: string
  emulator: SharedEmulator
  size(): Size
  client(): HolderClient | null
  onAlternate(): void
}

/** The terminal's bytes on their way to those who watch, and the screen that they draw. */
export interface LaneStream {
  attach(hello: Hello, client: HolderClient): void
  push(offset: number, bytes: Buffer): void
  /** The holder answers no queries from here on. */
  quiet(offset: number): void
  view(sink: ViewerSink, from: number | null): ReturnType<Viewers['add']>
  resized(size: Size): void
  isAlternate(): boolean
  head(): number
  /** The stream's end as the holder said it; what it skipped may still be on its way. */
  heard(): number
  look(wanted: Look): Promise<Looked>
  /** Puts the screen aside as it is now, with the holder. */
  putAside(): Promise<void>
  rest(): void
  close(): void
}

const resetAll = '\x1bc'
/** A few screens of plain text. */
const plainBytes = 16 * 1024

export function createLaneStream(deps: LaneStreamDeps): LaneStream {
  const { folder, emulator, size, client } = deps
  let heard = 0
  /** Somebody looks, or did a moment ago; else the stream's end is all that is followed. */
  let isFollowed = false
  const log = createLaneLog(folder, async () => client()?.sync())
  const screen = createLiveScreen({
    emulator,
    size,
    head: () => stream.head(),
    readStart: (to) => log.start(to, checkpoints.latest()),
    takeAnswers(on) {
      screen.answersFrom(null)
      client()?.answering(!on)
    },
    answer: (text, offset) => client()?.answer(offset, Buffer.from(text)),
    onAlternate: deps.onAlternate,
  })
  const checkpoints = createCheckpoints({
    snapshot: () => (screen.isOpen() ? screen.snapshot() : null),
    keep: (checkpoint) => client()?.checkpoint(checkpoint),
  })
  const viewers = createViewers({
    flush() {
      batch.flush()
      return stream.head()
    },
    read: log.exactly,
    snapshot: () => screen.snapshot().catch(screen.snapshot).catch(plainScreen),
    snapshotLag: screen.lag,
  })
  const batch = batchBytes(viewers.send)
  const stream = createByteStream({
    read: log.read,
    isWatched: () => screen.isOpen() || viewers.count() > 0,
    onBytes(offset, bytes) {
      screen.feed(offset, bytes)
      checkpoints.changed(bytes.length)
      if (viewers.count() > 0) batch.push(offset, bytes)
    },
  })

  /** Without an emulator the end of the stream still says more than nothing. */
  function plainScreen(): Snapshot {
    return { ...size(), offset: Math.max(0, stream.head() - plainBytes), data: resetAll }
  }

  function follow(): void {
    if (isFollowed) return
    isFollowed = true
    stream.reach(heard)
  }

  return {
    attach(hello, holder) {
      checkpoints.found(hello.checkpoint)
      heard = hello.head
      if (isFollowed) stream.reach(hello.head)
      if (!screen.isOpen()) return
      screen.answersFrom(null)
      holder.answering(false)
    },
    push(offset, bytes) {
      heard = offset + bytes.length
      if (isFollowed) stream.push(offset, bytes)
    },
    quiet: screen.answersFrom,
    view(sink, from) {
      follow()
      screen.open()
      return viewers.add(sink, from)
    },
    resized(next) {
      if (!isFollowed) return
      screen.resize(next)
      checkpoints.changed(0)
      batch.flush()
    },
    isAlternate: () => isFollowed && screen.isAlternate(),
    head: () => (isFollowed ? stream.head() : heard),
    heard: () => heard,
    look: (wanted) =>
      look(wanted, { emulator, log, size, head: () => heard, checkpoint: checkpoints.latest }),
    putAside() {
      follow()
      return checkpoints.take(screen.snapshot())
    },
    rest() {
      screen.rest()
      isFollowed = false
    },
    close() {
      checkpoints.close()
      screen.close()
    },
  }
}
