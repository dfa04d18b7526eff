export interface ScanSink {
  text: (bytes: Buffer) => void
  mark: (kind: string, fields: string[]) => void
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

/** Takes the marks out of a byte stream, whatever the pieces it arrives in; the rest passes untouched. */
export function createMarkScanner(nonce: string, sink: ScanSink): MarkScanner {
  const prefix = Buffer.from(`\x1b]7133;${nonce};`)
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

  function feed(piece: Buffer): void {
    let bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
    carried = nothing
    while (bytes.length > 0) {
      const start = bytes.indexOf(prefix)
      if (start < 0) {
        const cut = cutPrefixAt(bytes)
        text(bytes.subarray(0, cut))
        carried = bytes.subarray(cut)
        return
      }
      const bodyAt = start + prefix.length
      const end = bytes.indexOf(bel, bodyAt)
      const unended = end < 0 || end - start > maxMarkBytes
      if (end < 0 && bytes.length - start <= maxMarkBytes) {
        text(bytes.subarray(0, start))
        carried = bytes.subarray(start)
        return
      }
      text(bytes.subarray(0, unended ? bodyAt : start))
      if (!unended) {
        const [kind = '', ...fields] = bytes.toString('utf8', bodyAt, end).split(';')
        sink.mark(kind, fields)
      }
      bytes = bytes.subarray(unended ? bodyAt : end + 1)
    }
  }

  function flush(): void {
    text(carried)
    carried = nothing
    sink.end?.()
  }

  return { feed, flush }
}
