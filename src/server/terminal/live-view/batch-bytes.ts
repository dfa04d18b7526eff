/** Larger messages stall a viewer, smaller ones cost more than their bytes. */
const maxBytes = 64 * 1024
/** Below what an eye notices, long enough to join the 4 KB reads of a flood. */
const maxWaitMs = 4

/** Joins neighbouring pieces of the stream into few. */
export function batchBytes(send: (offset: number, bytes: Uint8Array) => void) {
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
