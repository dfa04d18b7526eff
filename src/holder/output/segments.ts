import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** One file of the byte log: its name is the offset of its first byte. */
export interface Segment {
  start: number
  bytes: number
}

export interface Span {
  from: number
  to: number
}

interface OpenFiles {
  log: number
  times: number | null
  entries: number
}

const segmentBytes = 1024 * 1024
const entryBytes = 16
/** A pipe in the file's place fails at once; as `a` it would be waited for for ever. */
export const addFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
/** A program that drips a byte a second must not make an index larger than its output. */
const maxEntries = 4096

/**
 * The files of one byte log, the last of which is being written: 1 MiB each, and each with an index of when which part
 * of it was written: pairs of doubles (offset, ms), for replay at its own pace.
 */
export function openSegments(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const list = listSegments(folder)
  const entry = Buffer.alloc(entryBytes)
  let open: OpenFiles | null = null

  function close(): void {
    if (open !== null) closeSync(open.log)
    if (open !== null && open.times !== null) closeSync(open.times)
    open = null
  }

  function enter(start: number): { segment: Segment; file: OpenFiles } {
    const last = list.at(-1)
    if (open !== null && last !== undefined && last.bytes < segmentBytes)
      return { segment: last, file: open }
    close()
    const file: OpenFiles = {
      log: openSync(segmentPath(folder, start, 'log'), addFlags, 0o600),
      times: null,
      entries: 0,
    }
    open = file
    file.times = openSync(segmentPath(folder, start, 'times'), addFlags, 0o600)
    const segment = { start, bytes: 0 }
    list.push(segment)
    return { segment, file }
  }

  function note(offset: number): void {
    if (open === null || open.times === null || open.entries >= maxEntries) return
    entry.writeDoubleBE(offset, 0)
    entry.writeDoubleBE(Date.now(), 8)
    writeSync(open.times, entry)
    open.entries += 1
  }

  return {
    list,
    /** Bytes at this offset, seen now; throws what the disk says. */
    write(offset: number, bytes: Buffer, onWritten: (count: number) => void): void {
      // A later holder learns from an empty one where the offsets go on.
      if (bytes.length === 0) enter(offset)
      for (let at = 0; at < bytes.length;) {
        const { segment, file } = enter(offset + at)
        const room = Math.min(bytes.length - at, segmentBytes - segment.bytes)
        const count = writeSync(file.log, bytes, at, room)
        segment.bytes += count
        at += count
        onWritten(count)
      }
      if (bytes.length > 0) note(offset)
    },
    drop(index: number): Segment | undefined {
      const [dropped] = list.splice(index, 1)
      if (dropped === undefined) return undefined
      rmSync(segmentPath(folder, dropped.start, 'log'), { force: true })
      rmSync(segmentPath(folder, dropped.start, 'times'), { force: true })
      return dropped
    },
    /** A stretch that is whole in the files. */
    read: (span: Span) => readSegments(folder, list, span),
    close,
  }
}

function segmentPath(folder: string, start: number, extension: 'log' | 'times'): string {
  return join(folder, `${String(start).padStart(16, '0')}.${extension}`)
}

export function listSegments(folder: string): Segment[] {
  return (
    readdirSync(folder)
      .filter((name) => /^\d{16}\.log$/.test(name))
      .sort()
      .map((name) => ({
        start: Number.parseInt(name, 10),
        bytes: statSync(join(folder, name)).size,
      }))
      // No log gets so far: somebody else put it there.
      .filter(({ start }) => Number.isSafeInteger(start))
  )
}

export function readSegments(
  folder: string,
  segments: readonly Segment[],
  { from, to }: Span,
): Buffer {
  const parts = segments
    .filter(({ start, bytes }) => start < to && start + bytes > from)
    .map(({ start }) =>
      readFileSync(segmentPath(folder, start, 'log')).subarray(
        Math.max(0, from - start),
        Math.max(0, to - start),
      ),
    )
  return Buffer.concat(parts)
}

/**
 * Which segment goes to make room: one from the middle of a large run, else the oldest. Never the
 * last one: it is being written, and it alone knows where the log's offsets go on.
 */
export function nextToGo(segments: readonly Segment[], middles: readonly Span[]): number | null {
  if (segments.length < 2) return null
  for (const { from, to } of middles) {
    const at = segments.findIndex(({ start, bytes }) => start >= from && start + bytes <= to)
    if (at >= 0 && at < segments.length - 1) return at
  }
  return 0
}

/** The end of the last byte that is missing: everything behind it is whole. */
export function lastGapEnd(segments: readonly Segment[]): number {
  let end = 0
  let gapEnd = 0
  for (const { start, bytes } of segments) {
    if (start > end) gapEnd = start
    end = start + bytes
  }
  return gapEnd
}
