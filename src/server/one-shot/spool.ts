import { type FileHandle, open } from 'node:fs/promises'
import type { StreamRef } from '../../protocol/run.ts'

/**
 * What is kept of one stream: its beginning and its end, 8 MiB in all, so that a run has at most
 * 16 MiB. Stored files are read with these numbers: other ones need another file name.
 */
export const spoolCaps: SpoolCaps = { head: 4 * 1024 * 1024, tail: 4 * 1024 * 1024 }

export interface SpoolCaps {
  head: number
  tail: number
}

interface Range {
  from: number
  to: number
}

/** One stream's bytes on their way to a file of bounded size. */
export interface Spool {
  write(bytes: Buffer): Promise<void>
  /** Closes the file, and says how much came and how much of it is not kept. */
  end(): Promise<StreamRef>
}

/**
 * The file holds the stream's head as it is; behind it a ring holds the tail. A disk that is full
 * costs what was printed from then on, never the run.
 */
export async function openSpool(path: string, caps: SpoolCaps = spoolCaps): Promise<Spool> {
  const file = await open(path, 'w', 0o600).catch(() => null)
  let bytes = 0
  let failedAt: number | null = file === null ? 0 : null

  async function put(chunk: Buffer, to: FileHandle): Promise<void> {
    for (const { offset, length, at } of pieces({ from: bytes, to: bytes + chunk.length }, caps))
      await to.write(chunk, offset - bytes, length, at)
  }

  return {
    async write(chunk) {
      if (file !== null && failedAt === null)
        await put(chunk, file).catch(async () => {
          // The ring's older bytes would now be read as younger ones.
          failedAt = Math.min(bytes, caps.head)
          await file.truncate(failedAt).catch(() => undefined)
        })
      bytes += chunk.length
    },
    async end() {
      await file?.close().catch(() => undefined)
      const kept = failedAt ?? Math.min(bytes, caps.head + caps.tail)
      return { bytes, omitted: bytes - kept }
    },
  }
}

/** What is kept of a range of a stream that had `total` bytes, in order. */
export async function readSpool(
  path: string,
  range: Range & { total: number },
  caps: SpoolCaps = spoolCaps,
): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return Buffer.alloc(0)
  const found: Buffer[] = []
  try {
    for (const kept of keptParts(range, caps))
      for (const { length, at } of pieces(kept, caps)) {
        const part = Buffer.alloc(length)
        const { bytesRead } = await file.read(part, 0, length, at)
        found.push(part.subarray(0, bytesRead))
      }
  } finally {
    await file.close()
  }
  return Buffer.concat(found)
}

function keptParts({ from, to, total }: Range & { total: number }, caps: SpoolCaps): Range[] {
  const tailFrom = Math.max(caps.head, total - caps.tail)
  const parts = [
    { from, to: Math.min(to, caps.head, total) },
    { from: Math.max(from, tailFrom), to: Math.min(to, total) },
  ]
  return parts.filter((part) => part.from < part.to)
}

/** Where a range of the stream stands in the file. */
function* pieces(
  { from, to }: Range,
  { head, tail }: SpoolCaps,
): Generator<{ offset: number; length: number; at: number }> {
  for (let offset = from; offset < to;) {
    const inRing = offset < head ? 0 : (offset - head) % tail
    const room = offset < head ? head - offset : tail - inRing
    const length = Math.min(to - offset, room)
    yield { offset, length, at: offset < head ? offset : head + inRing }
    offset += length
  }
}
