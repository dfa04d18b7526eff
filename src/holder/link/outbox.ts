import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { HeldMark } from '../../protocol/holder/holder.ts'
import {
  encodeFrame,
  encodeOffset,
  frameHeader,
  frameKind,
  markPlaceBytes,
} from '../../protocol/holder/frames.ts'

type When = 'soon' | 'now'

export type Outbox = ReturnType<typeof createOutbox>

/** A server that far behind reads the byte log instead; the shell never waits for it. */
const maxLagBytes = 4 * 1024 * 1024
/** A wake-up of the server costs more than this wait; a flood does not wait. */
const lazyMs = 2
const lazyBytes = 64 * 1024
/** Nearly as much as the kernel gives in one read of a terminal: more is behind it. */
const floodBytes = 3 * 1024
/** A run of many lines makes thousands of marks; its first and its last ones say all about it. */
const keptFirst = 1024
const keptAll = 4096

/** One connection, and the bytes that wait for it. */
interface Attached {
  socket: Socket
  frames: Uint8Array[]
  stream: { offset: number; pieces: Buffer[]; bytes: number } | null
  skippedTo: number | null
}

/** Frames for the server, if one is connected, and the marks that it has not acknowledged. */
export function createOutbox() {
  const kept = createKeptMarks()
  let attached: Attached | null = null
  let floodedAt = Number.NEGATIVE_INFINITY
  const pacer = createPacer(flush)

  function flush(): void {
    if (attached !== null) writeStream(attached)
    pacer.rest()
    if (attached === null || attached.frames.length === 0) return
    // Marks and bytes of one wake-up leave together; a copy costs less than many writes.
    const bytes = Buffer.concat(attached.frames)
    attached.frames = []
    attached.socket.write(bytes)
  }

  function writeStream(to: Attached): void {
    if (to.stream === null) return
    const { offset, pieces, bytes } = to.stream
    to.stream = null
    if (bytes >= floodBytes) floodedAt = performance.now()
    to.skippedTo = to.socket.writableLength > maxLagBytes ? offset + bytes : null
    if (to.skippedTo !== null) return
    pacer.schedule('now')
    to.frames.push(frameHeader(frameKind.data, bytes + 8), encodeOffset(offset), ...pieces)
  }

  /** A frame that says little alone may wait a moment for those that follow. */
  function send(kind: number, body: object, when: When = 'now'): void {
    if (attached === null) return
    pacer.schedule('soon')
    writeStream(attached)
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
    attached.frames.push(encodeFrame(kind, bytes))
    if (when === 'now') pacer.hurry()
  }

  return {
    /** The clean stream at this offset; skipped while the server is too far behind. */
    data({ offset, bytes, when }: { offset: number; bytes: Buffer; when: When }): void {
      if (attached === null) return
      attached.stream ??= { offset, pieces: [], bytes: 0 }
      attached.stream.pieces.push(bytes)
      attached.stream.bytes += bytes.length
      // In a flood many small reads leave together.
      pacer.schedule(performance.now() - floodedAt < lazyMs ? 'soon' : when)
      if (attached.stream.bytes > lazyBytes) pacer.hurry()
    },
    mark(mark: HeldMark, when: When): void {
      kept.add(mark)
      send(frameKind.mark, encodeMark(mark), when)
    },
    /** A body goes as it is if it is bytes, else as JSON. */
    send: (kind: number, body: object) => send(kind, body),
    /** The server has all up to this one on disk, but for the marks of shells outside of this level. */
    acknowledge: kept.acknowledge,
    /** The marks a new server needs to know what an old one knew. */
    marks: kept.all,
    isAttached: () => attached !== null,
    attach(socket: Socket): void {
      const to: Attached = { socket, frames: [], stream: null, skippedTo: null }
      attached = to
      socket.on('drain', () => {
        const skipped = to === attached ? skippedFrame(to) : null
        if (skipped === null) return
        pacer.schedule('now')
        to.frames.push(skipped)
      })
    },
    detach(): void {
      attached = null
      pacer.rest()
    },
    flush,
  }
}

/** Nothing more may come for hours: a server that has caught up is told how far the stream is. */
function skippedFrame(to: Attached): Uint8Array | null {
  if (to.skippedTo === null) return null
  const frame = encodeFrame(frameKind.data, encodeOffset(to.skippedTo))
  to.skippedTo = null
  return frame
}

/** Says when frames leave: two milliseconds from now, or with this turn of the loop. */
function createPacer(flush: () => void) {
  let flushing: 'no' | When = 'no'
  let timer: NodeJS.Timeout | undefined
  return {
    schedule(when: When): void {
      if (flushing !== 'no') return
      flushing = when
      if (when === 'soon') timer = setTimeout(flush, lazyMs)
      else setImmediate(flush)
    },
    /** Ends the wait of what was sent lazily. */
    hurry(): void {
      if (flushing !== 'soon') return
      flushing = 'now'
      setImmediate(flush)
    },
    rest(): void {
      clearTimeout(timer)
      flushing = 'no'
    },
  }
}

function createKeptMarks() {
  let marks: HeldMark[] = []
  return {
    add(mark: HeldMark): void {
      marks.push(mark)
      if (marks.length > keptAll) marks.splice(keptFirst, 1)
    },
    acknowledge(seq: number, level: number): void {
      // How well a shell speaks was said once, at its start.
      const stays = (mark: HeldMark) =>
        mark.level < level || (mark.level === level && mark.kind === 'H')
      marks = marks.filter((mark) => mark.seq > seq || stays(mark))
    },
    all: (): readonly HeldMark[] => marks,
  }
}

/** A mark as its frame holds it: its place, then kind (and level) and fields as the shell wrote them. */
export function encodeMark({ seq, kind, level, fields, offset, time }: HeldMark): Buffer {
  const text = [level === 0 ? kind : `${kind}${level}`, ...fields].join(';')
  const bytes = Buffer.allocUnsafe(markPlaceBytes + Buffer.byteLength(text))
  bytes.writeDoubleBE(seq, 0)
  bytes.writeDoubleBE(offset, 8)
  bytes.writeDoubleBE(time, 16)
  bytes.write(text, markPlaceBytes)
  return bytes
}
