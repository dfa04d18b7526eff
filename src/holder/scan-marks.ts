import { nonceChars, type Nonces, type Owner } from './nonces.ts'

export interface ScanSink {
  text: (bytes: Buffer) => void
  mark: (kind: string, fields: string[], owner: Owner) => void
  /** Nothing more comes. */
  end?: () => void
}

export interface MarkScanner {
  feed: (bytes: Buffer) => void
  /** Nothing more comes: what looked like the start of a mark was text. */
  flush: () => void
}

/** With 2,000 escaped characters of a typed line it is the longest; what is longer only looks like one. */
const maxMarkBytes = 40 * 1024
const bel = 0x07
const esc = 0x1b
const nothing: Buffer = Buffer.alloc(0)

const prefix = Buffer.from('\x1b]7133;')
const separator = 0x3b
/** The prefix, a nonce, and what ends it. */
const headBytes = prefix.length + nonceChars + 1

/** Takes the marks out of a byte stream, whatever the pieces it arrives in; the rest passes untouched. */
export function createMarkScanner(nonces: Nonces, sink: ScanSink): MarkScanner {
  let carried = nothing

  function text(bytes: Buffer): void {
    if (bytes.length > 0) sink.text(bytes)
  }

  /** The prefix has one ESC, its first byte, so only the last ESC can begin a cut one. */
  function cutPrefixAt(bytes: Buffer): number {
    const at = bytes.lastIndexOf(esc)
    if (at < 0 || bytes.length - at >= prefix.length) return bytes.length
    return bytes.subarray(at).equals(prefix.subarray(0, bytes.length - at)) ? at : bytes.length
  }

  /** Whose mark begins here; null if it is nobody's, `cut` if the rest of the stream has to tell. */
  function ownerAt(bytes: Buffer, start: number): Owner | 'cut' | null {
    const nonce = bytes.toString('latin1', start + prefix.length, start + headBytes - 1)
    if (bytes.length - start < headBytes) return nonces.isPart(nonce) ? 'cut' : null
    if (bytes[start + headBytes - 1] !== separator) return null
    return nonces.owner(nonce) ?? null
  }

  /** What may be the beginning of a mark waits for the rest of it. */
  function carry(bytes: Buffer, from: number): Buffer {
    text(bytes.subarray(0, from))
    carried = bytes.subarray(from)
    return nothing
  }

  function pass(bytes: Buffer, to: number): Buffer {
    text(bytes.subarray(0, to))
    return bytes.subarray(to)
  }

  /** Takes the first mark, with the text before it; returns what comes after it. */
  function takeOne(bytes: Buffer): Buffer {
    const start = bytes.indexOf(prefix)
    if (start < 0) return carry(bytes, cutPrefixAt(bytes))
    const owner = ownerAt(bytes, start)
    if (owner === 'cut') return carry(bytes, start)
    if (owner === null) return pass(bytes, start + prefix.length)
    const bodyAt = start + headBytes
    const end = bytes.indexOf(bel, bodyAt)
    if (end < 0 && bytes.length - start <= maxMarkBytes) return carry(bytes, start)
    if (end < 0 || end - start > maxMarkBytes) return pass(bytes, bodyAt)
    text(bytes.subarray(0, start))
    const [kind = '', ...fields] = bytes.toString('utf8', bodyAt, end).split(';')
    sink.mark(kind, fields, owner)
    return bytes.subarray(end + 1)
  }

  function feed(piece: Buffer): void {
    let bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
    carried = nothing
    while (bytes.length > 0) bytes = takeOne(bytes)
  }

  function flush(): void {
    text(carried)
    carried = nothing
    sink.end?.()
  }

  return { feed, flush }
}
