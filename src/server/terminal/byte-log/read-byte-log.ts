import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unwaited } from '../../files/read-regular.ts'
import { Checkpoint } from '../../../protocol/holder/holder.ts'
import { readSmallFile, readSmallText } from '../../../skill/read-file.ts'
import type { CastItem } from '../emulator/output/cast.ts'

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

const entryBytes = 16
/** A segment's index has 64 KiB; a screen with all its scrollback has less than this. */
const mostBytes = 64 * 1024 * 1024

/** All that is kept of a session's byte log, in order, each part with its time (ms since 1970). */
export async function* readRecording(folder: string): AsyncGenerator<CastItem, void> {
  const times = await readTimes(folder)
  yield* firstScreen(folder, times[0])
  for (const [index, { offset, timeMs }] of times.entries()) {
    const to = times[index + 1]?.offset ?? Number.MAX_SAFE_INTEGER
    for await (const bytes of readByteLog(folder, { from: offset, to })) yield { timeMs, bytes }
  }
}

/** The holder's index: pairs of doubles, the offset of a part's first byte and its time. */
async function readTimes(folder: string): Promise<readonly { offset: number; timeMs: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const indexes = names.filter((name) => /^\d{16}\.times$/.test(name)).sort()
  const found: { offset: number; timeMs: number }[] = []
  for (const name of indexes) {
    // The oldest segment may go while we read.
    const read = await readSmallFile(join(folder, name), mostBytes)
    const index = read.ok ? read.value : Buffer.alloc(0)
    for (let at = 0; at + entryBytes <= index.length; at += entryBytes)
      found.push({ offset: index.readDoubleBE(at), timeMs: index.readDoubleBE(at + 8) })
  }
  return found
}

/** The screen with which the terminal came from another session; of use only before the bytes that follow it. */
async function* firstScreen(
  folder: string,
  first: { offset: number; timeMs: number } | undefined,
): AsyncGenerator<CastItem, void> {
  const file = join(folder, 'first-screen.json')
  const found = await stat(file).catch(() => null)
  if (found === null) return
  const text = await readSmallText(file, mostBytes)
  const screen = Checkpoint.safeParse(text.ok ? fromJson(text.value) : null)
  // A damaged screen cannot be shown; the bytes behind it can.
  if (!screen.success) return
  const { offset, rows, cols, data } = screen.data
  if (first !== undefined && first.offset !== offset) return
  const timeMs = first?.timeMs ?? found.mtimeMs
  yield { timeMs, rows, cols }
  yield { timeMs, bytes: Buffer.from(data) }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
