import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unwaited } from '../../files/read-regular.ts'

export interface Range {
  from: number
  to: number
}

/** A stretch of the stream and where it begins. */
export interface LogPart {
  offset: number
  bytes: Buffer
}

/** The number of bytes read at once; a run may have printed hundreds of megabytes. */
const readBytes = 256 * 1024
/** Holders begin a new one after 1 MiB; what is far larger was not written by one, and may have no end. */
const mostSegmentBytes = 16 * 1024 * 1024

/** The kept parts of a range of the session's byte log, in order. Where offsets jump, something is gone. */
export async function* readLogParts(folder: string, range: Range): AsyncGenerator<LogPart, void> {
  const starts = await listStarts(folder)
  for (const [index, start] of starts.entries()) {
    const nextStart = starts[index + 1] ?? Number.POSITIVE_INFINITY
    if (nextStart <= range.from || start >= range.to) continue
    yield* readSegment(segmentPath(folder, start), start, range)
  }
}

/** The same for those who only want the bytes. */
export async function* readByteLog(folder: string, range: Range): AsyncGenerator<Buffer, void> {
  for await (const { bytes } of readLogParts(folder, range)) yield bytes
}

/** The first stretch of a range that is kept without a gap, at most `limit` bytes of it. */
export async function readStretch(folder: string, range: Range, limit: number): Promise<LogPart> {
  const pieces: Buffer[] = []
  let from = range.to
  let end = range.to
  for await (const { offset, bytes } of readLogParts(folder, range)) {
    if (pieces.length === 0) from = end = offset
    if (offset !== end || end - from >= limit) break
    pieces.push(bytes)
    end += bytes.length
  }
  return { offset: from, bytes: Buffer.concat(pieces).subarray(0, limit) }
}

/** The number of bytes of a range that are gone, by the files themselves. The holder must have written all of it. */
export async function missingBytes(folder: string, { from, to }: Range): Promise<number> {
  const starts = await listStarts(folder)
  const kept = await Promise.all(
    starts.map(async (start) => {
      const size = await stat(segmentPath(folder, start)).then(
        (found) => found.size,
        () => 0,
      )
      return Math.max(0, Math.min(to, start + size) - Math.max(from, start))
    }),
  )
  return to - from - kept.reduce((sum, bytes) => sum + bytes, 0)
}

/** The offset at which the files end. */
export async function logEnd(folder: string): Promise<number> {
  const start = (await listStarts(folder)).at(-1)
  if (start === undefined) return 0
  const found = await stat(segmentPath(folder, start)).catch(() => null)
  return start + (found?.size ?? 0)
}

async function* readSegment(
  path: string,
  start: number,
  { from, to }: Range,
): AsyncGenerator<LogPart, void> {
  // The holder may drop a segment at any time.
  const file = await open(path, unwaited.read).catch(() => null)
  if (file === null) return
  try {
    const found = await file.stat()
    if (!found.isFile()) return
    const end = Math.min(to, start + mostSegmentBytes)
    for (let offset = Math.max(from, start); offset < end;) {
      const bytes = Buffer.allocUnsafe(Math.min(readBytes, end - offset))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset - start)
      if (bytesRead === 0) return
      yield { offset, bytes: bytes.subarray(0, bytesRead) }
      offset += bytesRead
    }
  } finally {
    await file.close()
  }
}

export async function listStarts(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => Number.parseInt(name, 10))
    .filter((start) => Number.isSafeInteger(start))
}

export function segmentPath(folder: string, start: number, extension = 'log'): string {
  return join(folder, `${String(start).padStart(16, '0')}.${extension}`)
}
