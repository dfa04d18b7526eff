import { skillLimits } from '../../protocol/skill-limits.ts'
import { BadArchive } from './bad-archive.ts'
import type { ZlibOptions } from 'node:zlib'

/** Counts what is unpacked while it is, and throws before it is too much. */
export interface Budget {
  /** One more file or folder. */
  addEntry(): void
  /** The most that the next file may have. */
  left(): number
  addBytes(bytes: number): void
}

export function openBudget(packedBytes: number): Budget {
  const { unpackedBytes, unpackedFiles, unpackedFileBytes, unpackedRatio } = skillLimits
  const byRatio = Math.max(skillLimits.ratioCountsFromBytes, packedBytes * unpackedRatio)
  let entries = 0
  let total = 0
  return {
    addEntry() {
      entries += 1
      if (entries > unpackedFiles) throw new BadArchive(`it has more than ${unpackedFiles} files`)
    },
    left: () => Math.min(unpackedFileBytes, unpackedBytes - total, byRatio - total),
    addBytes(bytes) {
      total += bytes
      if (bytes > unpackedFileBytes)
        throw new BadArchive(`a file in it has more than ${megabytes(unpackedFileBytes)}`)
      if (total > unpackedBytes)
        throw new BadArchive(`it unpacks to more than ${megabytes(unpackedBytes)}`)
      if (total > byRatio)
        throw new BadArchive(`it unpacks to more than ${unpackedRatio} times its size`)
    },
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}

/** Unpacks at most so much, stops there, and insists that all of the input was used. */
export function unpackAll(
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

/** The result of `info: true`, which Node's types do not know. */
function isUnpacked(
  result: unknown,
): result is { buffer: Buffer; engine: { bytesWritten: number } } {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result
}
