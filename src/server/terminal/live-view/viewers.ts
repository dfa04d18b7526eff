import type { Snapshot } from '../emulator/screen/screen.ts'
import type { Piece } from './byte-stream.ts'
import {
  behind,
  caughtUpBytes,
  give,
  goLive,
  hold,
  joining,
  maySendMore,
  nearRange,
  newViewer,
  windowBytes,
  type Start,
  type Viewer,
  type ViewerSink,
} from './viewer.ts'

interface ViewersDeps {
  /** Brings everybody who keeps up to the stream's end, and says where that is. */
  flush(): number
  /** Exactly this range of the byte log, or null. */
  read(range: { from: number; to: number }): Promise<Uint8Array | null>
  /** The screen as it is now, with where in the stream that is. */
  snapshot(): Promise<Snapshot>
  /** Bytes it is behind the stream. */
  snapshotLag(): number
}

/** Bytes within this are cheaper to draw than a snapshot and keep the scrollback whole. */
const resumeBytes = 1024 * 1024
/**
 * A viewer that draws as fast as it is sent, and only missed its turn in a flood, is behind by a few
 * bursts: it gets them from the log and misses nothing. One further behind was frozen or is slow.
 */
const chaseBytes = 8 * 1024 * 1024

/**
 * Those who watch one terminal. Each gets the stream at its own pace: who does not acknowledge is
 * skipped and later shown where things stand, so a frozen viewer costs neither shell nor others.
 */
export function createViewers({ flush, read, snapshot, snapshotLag }: ViewersDeps) {
  const viewers = new Set<Viewer>()

  /** Puts the viewer where it stopped if that is near, else shows it a snapshot; then what came since. */
  async function join(viewer: Viewer, start: Start): Promise<void> {
    const head = flush()
    viewer.phase = joining
    const near = nearRange(viewer, start, head)
    const missed = near && (await read(near))
    if (!viewers.has(viewer)) return
    if (near !== null && missed !== null) {
      viewer.sent = near.from
      viewer.acked = Math.max(viewer.acked, near.from)
      give(viewer, { offset: near.from, bytes: missed })
      // As much as it may have at once; its acknowledgement asks for more.
      if (near.to < head) return void (viewer.phase = behind)
    } else await show(viewer, head)
    if (!viewers.has(viewer)) return
    // Bytes that were just given do not count: they are bounded, and acknowledged in their own time.
    viewer.granted = viewer.sent
    // If it has drawn that already, no acknowledgement will come to ask for the rest.
    if (!goLive(viewer) && viewer.acked >= viewer.sent) goOn(viewer)
  }

  async function show(viewer: Viewer, head: number): Promise<void> {
    const shown = await snapshot()
    if (!viewers.has(viewer)) return
    viewer.sink.screen(shown)
    viewer.sent = shown.offset
    if (shown.offset >= head) return
    const missed = await read({ from: shown.offset, to: head })
    if (missed !== null && viewers.has(viewer))
      give(viewer, { offset: shown.offset, bytes: missed })
  }

  function begin(viewer: Viewer, start: Start): void {
    join(viewer, start).catch(() => void (viewer.phase = behind))
  }

  /** A snapshot that must wait for the emulator comes later than the bytes themselves. */
  const nearBytes = () => Math.max(chaseBytes, snapshotLag())

  function goOn(viewer: Viewer): void {
    begin(viewer, { from: viewer.sent, nearBytes: nearBytes() })
  }

  function pass(viewer: Viewer, piece: Piece): void {
    const { phase } = viewer
    if (phase.at === 'behind') return
    if (phase.at === 'joining') return void (viewer.phase = hold(phase, piece))
    const unacked = viewer.sent - Math.max(viewer.acked, viewer.granted)
    if (piece.offset <= viewer.sent && unacked <= windowBytes) return give(viewer, piece)
    viewer.phase = behind
    if (unacked < caughtUpBytes) begin(viewer, { from: null, nearBytes: 0 })
  }

  function add(sink: ViewerSink, from: number | null) {
    const viewer = newViewer(sink, from)
    viewers.add(viewer)
    begin(viewer, { from, nearBytes: resumeBytes })
    return {
      ack(offset: number): void {
        viewer.acked = Math.max(viewer.acked, Math.min(offset, viewer.sent))
        const isNear = () => flush() - viewer.sent <= nearBytes()
        if (viewer.phase.at === 'behind' && maySendMore(viewer, isNear)) goOn(viewer)
      },
      remove: () => void viewers.delete(viewer),
    }
  }

  return {
    add,
    /** The next bytes of the stream. */
    send(offset: number, bytes: Uint8Array): void {
      for (const viewer of viewers) pass(viewer, { offset, bytes })
    },
    count: () => viewers.size,
  }
}
