import { gunzipSync, inflateRawSync, type ZlibOptions } from 'node:zlib'

/** Unpacks at most so much, stops there, and insists that all of the input was used. */
export function inflateAll(packed: Buffer, most: number): Buffer | 'too much' | 'damaged' {
  return unpackAll(inflateRawSync, packed, most)
}

export function gunzipAll(packed: Buffer, most: number): Buffer | 'too much' | 'damaged' {
  return unpackAll(gunzipSync, packed, most)
}

function unpackAll(
  unpack: (packed: Buffer, options: ZlibOptions) => unknown,
  packed: Buffer,
  most: number,
): Buffer | 'too much' | 'damaged' {
  try {
    const result = unpack(packed, { info: true, maxOutputLength: most + 1 })
    if (!isUnpacked(result) || result.engine.bytesWritten !== packed.length) return 'damaged'
    return result.buffer.length > most ? 'too much' : result.buffer
  } catch (error) {
    const isFull =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return isFull ? 'too much' : 'damaged'
  }
}

/** What `info: true` gives; the types of Node do not know it. */
function isUnpacked(
  result: unknown,
): result is { buffer: Buffer; engine: { bytesWritten: number } } {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result
}
