import type { Snapshot } from '../emulator/screen.ts'

/** Where one viewer's bytes go. Must not block and need not be reliable about it. */
export interface ViewerSink {
  bytes(offset: number, bytes: Uint8Array): void
  screen(snapshot: Snapshot): void
}

export interface Viewers {
  add(sink: ViewerSink, from: number | null): { ack(offset: number): void; remove(): void }
  /** The next bytes of the stream. */
  send(offset: number, bytes: Uint8Array): void
  count(): number
}

export interface ViewersDeps {
  /** Brings everybody who keeps up to the stream's end, and says where that is. */
  flush(): number
  /** Exactly this range of the byte log, or null. */
  read(range: { from: number; to: number }): Promise<Uint8Array | null>
  /** The screen as it is now, with where in the stream that is. */
  snapshot(): Promise<Snapshot>
  /** Bytes it is behind the stream. */
  snapshotLag(): number
}

/** Unacknowledged bytes: more than a healthy viewer ever has, less than a browser chokes on. */
const windowBytes = 1024 * 1024
/** A viewer that was skipped has drawn nearly all it was sent before it is sent more. */
const caughtUpBytes = 64 * 1024
/** Within this, bytes are cheaper to draw than a snapshot and keep the scrollback whole. */
const resumeBytes = 1024 * 1024
/**
 * A viewer that draws as fast as it is sent, and only missed its turn in a flood, is behind by a few
 * bursts: it gets them from the log and misses nothing. One further behind was frozen or is slow.
 */
const chaseBytes = 8 * 1024 * 1024
const messageBytes = 64 * 1024

interface Start {
  /** Where it stopped; null if that is of no use. */
  from: number | null
  /** How far back that may be. */
  nearBytes: number
}

interface Piece {
  offset: number
  bytes: Uint8Array
}

interface Viewer {
  sink: ViewerSink
  /** Live, skipped until it has caught up, or being brought to the present with the rest held. */
  phase: 'live' | 'behind' | 'joining'
  sent: number
  acked: number
  /** Up to here it was given things that the window does not count. */
  granted: number
  held: Piece[]
  heldBytes: number
}

/**
 * Those who watch one terminal. Each gets the stream at its own pace: who does not acknowledge is
 * skipped and later shown where things stand, so a frozen viewer costs neither shell nor others.
 */
export function createViewers({ flush, read, snapshot, snapshotLag }: ViewersDeps): Viewers {
  const viewers = new Set<Viewer>()

  function give(viewer: Viewer, { offset, bytes }: Piece): void {
    const fresh = bytes.subarray(Math.max(0, viewer.sent - offset))
    for (let at = 0; at < fresh.length; at += messageBytes) {
      const part = fresh.subarray(at, at + messageBytes)
      viewer.sink.bytes(viewer.sent, part)
      viewer.sent += part.length
    }
  }

  /** Puts the viewer where it stopped if that is near, else shows it a snapshot; then what came since. */
  async function join(viewer: Viewer, start: Start): Promise<void> {
    const head = flush()
    viewer.phase = 'joining'
    viewer.held = []
    viewer.heldBytes = 0
    const { from } = start
    const isNear = from !== null && from <= head && head - from <= start.nearBytes
    const to = isNear ? Math.min(head, from + roomOf(viewer, from)) : head
    const missed = isNear ? await read({ from, to }) : null
    if (!viewers.has(viewer)) return
    if (isNear && missed !== null) {
      viewer.sent = from
      viewer.acked = Math.max(viewer.acked, from)
      give(viewer, { offset: from, bytes: missed })
      // As much as it may have at once; its acknowledgement asks for more.
      if (to < head) return void (viewer.phase = 'behind')
    } else await show(viewer, head)
    if (!viewers.has(viewer)) return
    // What was just given does not count: it is bounded, and acknowledged in its own time.
    viewer.granted = viewer.sent
    // If it has drawn that already, no acknowledgement will come to ask for the rest.
    if (!goLive(viewer) && viewer.acked >= viewer.sent) goOn(viewer)
  }

  /** As much as it may be sent from here on; always some, or it would never say more. */
  function roomOf({ acked }: Viewer, from: number): number {
    return Math.max(caughtUpBytes, windowBytes - Math.max(0, from - acked))
  }

  /** A snapshot that must wait for the emulator comes later than the bytes themselves. */
  const nearBytes = () => Math.max(chaseBytes, snapshotLag())

  function goOn(viewer: Viewer): void {
    begin(viewer, { from: viewer.sent, nearBytes: nearBytes() })
  }

  /** Bytes are sent on before the last are drawn; a screen only when it is the next thing to draw. */
  function maySendMore(viewer: Viewer): boolean {
    const undrawn = viewer.sent - viewer.acked
    if (undrawn < caughtUpBytes) return true
    return undrawn < windowBytes / 2 && flush() - viewer.sent <= nearBytes()
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

  function goLive(viewer: Viewer): boolean {
    const { held } = viewer
    viewer.held = []
    // Too much came meanwhile, or a hole: it asks for the next screen with its next word.
    const [first] = held
    const isWhole =
      viewer.heldBytes <= windowBytes && (first === undefined || first.offset <= viewer.sent)
    viewer.phase = isWhole ? 'live' : 'behind'
    if (isWhole) for (const piece of held) give(viewer, piece)
    return isWhole
  }

  function begin(viewer: Viewer, start: Start): void {
    join(viewer, start).catch(() => {
      viewer.phase = 'behind'
    })
  }

  function hold(viewer: Viewer, piece: Piece): void {
    viewer.heldBytes += piece.bytes.length
    if (viewer.heldBytes <= windowBytes) viewer.held.push(piece)
  }

  function pass(viewer: Viewer, piece: Piece): void {
    if (viewer.phase === 'joining') return hold(viewer, piece)
    if (viewer.phase === 'behind') return
    const unacked = viewer.sent - Math.max(viewer.acked, viewer.granted)
    if (piece.offset <= viewer.sent && unacked <= windowBytes) return give(viewer, piece)
    viewer.phase = 'behind'
    if (unacked < caughtUpBytes) begin(viewer, { from: null, nearBytes: 0 })
  }

  return {
    add(sink, from) {
      const viewer: Viewer = {
        sink,
        phase: 'joining',
        sent: 0,
        acked: from ?? 0,
        granted: 0,
        held: [],
        heldBytes: 0,
      }
      viewers.add(viewer)
      begin(viewer, { from, nearBytes: resumeBytes })
      return {
        ack(offset) {
          viewer.acked = Math.max(viewer.acked, Math.min(offset, viewer.sent))
          if (viewer.phase === 'behind' && maySendMore(viewer)) goOn(viewer)
        },
        remove: () => void viewers.delete(viewer),
      }
    },
    send(offset, bytes) {
      for (const viewer of viewers) pass(viewer, { offset, bytes })
    },
    count: () => viewers.size,
  }
}
