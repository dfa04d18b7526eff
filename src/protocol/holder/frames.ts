/**
 * Frames on the holder's socket: kind (1 byte), length (4 bytes, big-endian), payload.
 * Bulk data, marks and what the server sends are fixed binary layouts; the rest is JSON.
 */
export const frameKind = {
  // holder → server
  hello: 1,
  data: 2,
  mark: 3,
  exit: 4,
  kept: 5,
  synced: 6,
  probed: 7,
  uninjected: 8,
  quiet: 9,
  /** The names that the shell knows, as it wrote them down; empty when it could not be asked. */
  named: 10,
  /** The outcome of an adoption. */
  adopted: 11,
  /** Whether the holder is in the other folder now. */
  moved: 12,
  /** A `Late`. */
  late: 13,
  /** Asks who lives in this session, an offset. Answered by `living`. */
  who: 14,
  /** The shell's state as records; empty when it could not be asked. */
  stated: 15,
  // server → holder
  input: 32,
  inject: 33,
  resize: 34,
  signal: 35,
  ack: 36,
  sync: 37,
  probe: 38,
  end: 39,
  /** One byte: whether the holder answers terminal queries, or the server does. */
  answering: 40,
  /** The server's answer to terminal queries: all before this offset are dealt with. */
  answer: 41,
  /** A `Checkpoint`, to be kept for the next server. */
  checkpoint: 42,
  /** The byte log before this offset is no longer wanted. */
  forget: 43,
  /** Asks for the names that the shell knows; only while it waits for its next command. */
  names: 44,
  /** An `AdoptRequest`. */
  adopt: 45,
  /** A `MoveRequest`. */
  move: 46,
  /** The run whose command is not wanted any more, as text. */
  withdraw: 47,
  /** The processes of the session that was asked for, each an offset. */
  living: 48,
  /** Asks for the shell's state: an id and names, each ended by a NUL; nothing: the first state it had. */
  state: 49,
} as const

export const frameHeaderBytes = 5

/** More than any frame we make: a command of 256 KB, or a hello with all its marks. */
const maxFrameBytes = 8 * 1024 * 1024

/** A `mark` frame begins with seq, offset and time, each a double; the rest is text. */
export const markPlaceBytes = 24

/**
 * The flags in the first byte of an `inject` frame; the level of its shell stands between them. `stamped`: behind the id
 * stands the mark after which the command was allowed, and it is not entered after another one of its kinds.
 */
export const injectFlag = { model: 1, asFile: 2, private: 4, stamped: 128 } as const
export const injectLevelShift = 3
export const injectLevelMask = 15
/** Kinds of marks after which a command may run elsewhere, or in another state. */
export const movingMarks: ReadonlySet<string> = new Set(['C', 'D', 'H', 'L'])
/** Shells within shells: nobody gets lost that deep. */
export const maxLevel = 15

/** The target of a signal, in the first byte of a `signal` frame. */
export const signalTarget = { foreground: 0, session: 1 } as const

export function frameHeader(kind: number, length: number): Uint8Array {
  return putHeader(new Uint8Array(frameHeaderBytes), kind, length)
}

/** Byte by byte: a view of a small array costs more than all the rest of a frame. */
function putHeader(frame: Uint8Array, kind: number, length: number): Uint8Array {
  frame[0] = kind
  frame[1] = length >>> 24
  frame[2] = length >>> 16
  frame[3] = length >>> 8
  frame[4] = length
  return frame
}

export function encodeFrame(kind: number, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(frameHeaderBytes + payload.length)
  putHeader(frame, kind, payload.length)
  frame.set(payload, frameHeaderBytes)
  return frame
}

/** Offsets are safe integers; a double holds them all. */
export function encodeOffset(offset: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, offset)
  return bytes
}

export function decodeOffset(payload: Uint8Array): number {
  return payload.length < 8 ? Number.NaN : viewOf(payload).getFloat64(0)
}

export function encodeOffsets(offsets: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * offsets.length)
  const view = viewOf(bytes)
  for (const [index, offset] of offsets.entries()) view.setFloat64(8 * index, offset)
  return bytes
}

export function decodeOffsets(payload: Uint8Array): number[] {
  const view = viewOf(payload)
  const count = Math.floor(payload.length / 8)
  return Array.from({ length: count }, (_, index) => view.getFloat64(8 * index))
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Cuts a byte stream into frames, whatever the pieces it arrives in. A payload may share memory
 * with the piece it came in. Throws on a length no honest peer sends.
 */
export function createFrameReader(
  onFrame: (kind: number, payload: Uint8Array) => void,
): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = []
  let held = 0
  let wanted = frameHeaderBytes

  return (piece) => {
    pieces.push(piece)
    held += piece.length
    if (held < wanted) return
    let bytes = pieces.length === 1 ? piece : join(pieces, held)
    wanted = frameHeaderBytes
    while (bytes.length >= frameHeaderBytes) {
      const view = viewOf(bytes)
      const length = view.getUint32(1)
      if (length > maxFrameBytes) throw new Error(`a frame of ${length} bytes is not one of ours`)
      wanted = frameHeaderBytes + length
      if (bytes.length < wanted) break
      const payload = bytes.subarray(frameHeaderBytes, wanted)
      bytes = bytes.subarray(wanted)
      wanted = frameHeaderBytes
      onFrame(view.getUint8(0), payload)
    }
    pieces = bytes.length > 0 ? [bytes] : []
    held = bytes.length
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
