interface ByteStreamDeps {
  /** Reads as much of a range as the byte log still has; nothing when it is gone. */
  read(range: { from: number; to: number }): Promise<Buffer>
  /** Whether anybody would notice a gap. */
  isWatched(): boolean
  onBytes(offset: number, bytes: Uint8Array): void
}

/** Bytes of the stream; `offset` is where they begin. */
export interface Piece {
  offset: number
  bytes: Uint8Array
}

/** Small enough that others get their turn between two reads. */
const fillBytes = 256 * 1024
/** A gap larger than this is jumped but for its end: a screen is worth more than its history. */
const maxFillBytes = 32 * 1024 * 1024
const nothing = new Uint8Array()

/**
 * The terminal's bytes in order and without gaps. The holder skips what a busy server could not take
 * in time; that is read from the log instead, so the shell never waits and nobody misses a byte.
 */
export function createByteStream({ read, isWatched, onBytes }: ByteStreamDeps) {
  let head = 0
  let waiting: Piece[] | null = null

  function emit(offset: number, bytes: Uint8Array): void {
    const fresh = bytes.subarray(Math.max(0, head - offset))
    const at = Math.max(offset, head)
    head = at + fresh.length
    if (fresh.length > 0) onBytes(at, fresh)
  }

  async function fill(to: number): Promise<void> {
    head = Math.max(head, to - maxFillBytes)
    while (head < to) {
      const until = Math.min(to, head + fillBytes)
      const bytes = await read({ from: head, to: until })
      // A range with a hole cannot be placed; those who watch see the jump and start anew.
      if (bytes.length === until - head) emit(head, bytes)
      else head = until
    }
  }

  async function drain(pieces: Piece[]): Promise<void> {
    for (let next = pieces.shift(); next !== undefined; next = pieces.shift()) {
      if (next.offset > head) await fill(next.offset)
      emit(next.offset, next.bytes)
    }
    waiting = null
  }

  /** Bytes that the holder sent; it may have skipped some before them. */
  function push(offset: number, bytes: Uint8Array): void {
    if (waiting !== null) return void waiting.push({ offset, bytes })
    if (offset <= head || !isWatched()) {
      head = Math.max(head, offset)
      return emit(offset, bytes)
    }
    waiting = [{ offset, bytes }]
    drain(waiting).catch(() => {
      // The log cannot be read: go on with what comes.
      waiting = null
    })
  }

  return {
    push,
    /** A holder was found whose stream is here; what was missed comes from the log. */
    reach: (at: number) => push(at, nothing),
    /** The end of what was passed on. */
    head: () => head,
  }
}
