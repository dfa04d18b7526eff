const [esc, bel, space] = [0x1b, 0x07, 0x20]
/** Sequences that set something are shorter; a link may be longer, and is cut. */
const maxBytes = 256
/** The ends of control sequences that set something: h, l, m, r, u. */
const ends = new Set([0x68, 0x6c, 0x6d, 0x72, 0x75])
const nothing: Buffer = Buffer.alloc(0)

/**
 * Finds the escape sequences of a stream that set something in a terminal, whatever the pieces it arrives in. They are
 * given without their ESC, and strings without their end: `[?25l`, `(0`, `=`, `]12;red`.
 */
export function createSequenceReader(onSequence: (sequence: string) => void) {
  let carried = nothing
  return {
    feed(piece: Buffer): void {
      const bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
      carried = nothing
      for (let at = bytes.indexOf(esc); at >= 0; at = bytes.indexOf(esc, at + 1)) {
        const end = endOf(bytes, at + 1)
        if (end === null && bytes.length - at < maxBytes) carried = bytes.subarray(at)
        else if (end !== 'other') onSequence(bytes.toString('latin1', at + 1, end ?? at + maxBytes))
      }
    },
    /** Nothing that comes belongs to what came. */
    drop(): void {
      carried = nothing
    },
  }
}

/** The end of the sequence that begins here; null while it is to come, `other` for those that set nothing. */
function endOf(bytes: Buffer, from: number): number | 'other' | null {
  switch (bytes[from]) {
    case undefined:
      return null
    case 0x5b: // [
      return endOfControl(bytes, from + 1)
    case 0x28: // (
    case 0x29: // )
      return from + 1 < bytes.length ? from + 2 : null
    case 0x3d: // =
    case 0x3e: // >
    case 0x63: // c
      return from + 1
    case 0x5d: // ]
      return endOfString(bytes, from + 1)
    default:
      return 'other'
  }
}

/** Parameters are between the blank and `@`. */
function endOfControl(bytes: Buffer, from: number): number | 'other' | null {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x40) return ends.has(byte) ? at + 1 : 'other'
    if (byte < space) return 'other'
  }
  return null
}

function endOfString(bytes: Buffer, from: number): number | null {
  const to = Math.min(bytes.length, from + maxBytes)
  for (let at = from; at < to; at += 1) if (bytes[at] === bel || bytes[at] === esc) return at
  return null
}
