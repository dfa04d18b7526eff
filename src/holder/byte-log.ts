import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept } from '../protocol/holder.ts'
import { openLargeRuns } from './large-runs.ts'
import {
  lastGapEnd,
  listSegments,
  nextToGo,
  readSegments,
  type Segment,
  segmentPath,
} from './segments.ts'
import { createTimeIndex } from './time-index.ts'

export interface ByteLog {
  append: (bytes: Buffer) => void
  /** Everything appended so far is in the files when this returns. */
  flush: () => void
  /** The offset of the next byte. Continuous over all shells of a session. */
  head: () => number
  kept: () => Kept
  /** A run's output begins or ends at the head: of a large one the middle goes first. */
  runBegan: () => void
  runEnded: () => void
  /** Lets go of what lies before this offset, for the sake of other sessions. */
  forget: (before: number) => void
  /** All from this offset on; null when that is too much, or not kept. */
  since: (offset: number) => Buffer | null
  close: () => void
}

export interface ByteLogOptions {
  folder: string
  maxBytes: number
  /** What is kept of a run for certain, as long as it is not the oldest. */
  runBytes: number
  /** Where the offsets of a log begin that has nothing yet. */
  from?: number
  /** Segments went, or the disk refused bytes. */
  onKept: (kept: Kept) => void
}

const segmentBytes = 1024 * 1024
/** A write costs a system call; a batch of this size makes it negligible beside reading the PTY. */
const batchBytes = 256 * 1024
/** How far the files may be behind: only a holder's own crash loses it, and that ends the shell too. */
const batchMs = 50

/** Nobody copies more while the shell waits. */
const sinceBytes = 4 * 1024 * 1024

/** The clean stream on disk: files of 1 MiB named after the offset of their first byte. */
export function openByteLog(options: ByteLogOptions): ByteLog {
  const { folder, maxBytes, runBytes, from = 0, onKept } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const segments = listSegments(folder)
  const last = segments.at(-1)
  const times = createTimeIndex()
  const runs = openLargeRuns({ file: join(folder, 'large-runs'), keptBytes: runBytes })
  let total = segments.reduce((sum, segment) => sum + segment.bytes, 0)
  let written = last === undefined ? from : last.start + last.bytes
  let fd: number | null = null
  let pending: Buffer[] = []
  let pendingBytes = 0
  let refusedBytes = 0
  let missingBefore = last === undefined ? from : lastGapEnd(segments)
  let timer: NodeJS.Timeout | null = null
  // A later holder learns from it where the offsets go on, also when nothing was printed.
  if (last === undefined && from > 0) enterSegment()

  const head = () => written + pendingBytes
  const kept = (): Kept => ({
    oldest: segments[0]?.start ?? written,
    refusedBytes,
    missingBefore,
  })

  function leaveSegment(): void {
    if (fd !== null) closeSync(fd)
    times.close()
    fd = null
  }

  function enterSegment(): Segment {
    const current = segments.at(-1)
    if (fd !== null && current !== undefined && current.bytes < segmentBytes) return current
    leaveSegment()
    fd = openSync(segmentPath(folder, written, 'log'), 'a', 0o600)
    times.open(segmentPath(folder, written, 'times'))
    const segment = { start: written, bytes: 0 }
    segments.push(segment)
    return segment
  }

  function write(bytes: Buffer): void {
    let rest = bytes
    while (rest.length > 0) {
      const segment = enterSegment()
      if (fd === null) return
      const count = writeSync(fd, rest, 0, Math.min(rest.length, segmentBytes - segment.bytes))
      segment.bytes += count
      written += count
      total += count
      rest = rest.subarray(count)
    }
  }

  function drop(index: number): void {
    for (const { start, bytes } of segments.splice(index, 1)) {
      total -= bytes
      missingBefore = Math.max(missingBefore, start + bytes)
      rmSync(segmentPath(folder, start, 'log'), { force: true })
      rmSync(segmentPath(folder, start, 'times'), { force: true })
    }
  }

  function trim(): void {
    if (total <= maxBytes) return
    const before = segments.length
    while (total > maxBytes) {
      const index = nextToGo(segments, runs.middles(written))
      if (index === null) break
      drop(index)
    }
    if (segments.length < before) onKept(kept())
  }

  function forget(before: number): void {
    const gone = segments.slice(0, -1).filter(({ start, bytes }) => start + bytes <= before)
    for (const _ of gone) drop(0)
    if (gone.length > 0) onKept(kept())
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pendingBytes === 0) return
    const target = written + pendingBytes
    const batch =
      pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    const from = written
    try {
      write(batch)
      times.note(from, Date.now())
    } catch {
      // A full disk costs the recording, never the shell: the offsets go on, the gap is counted.
      refusedBytes += target - written
      written = target
      missingBefore = target
      leaveSegment()
      onKept(kept())
    }
    trim()
  }

  function since(offset: number): Buffer | null {
    flush()
    if (offset < missingBefore || written - offset > sinceBytes) return null
    return readSegments(folder, segments, { from: offset, to: written })
  }

  return {
    append(bytes) {
      pending.push(bytes)
      pendingBytes += bytes.length
      if (pendingBytes >= batchBytes) flush()
      else timer ??= setTimeout(flush, batchMs)
    },
    flush,
    head,
    kept,
    runBegan: () => runs.began(head()),
    runEnded: () => runs.ended(head()),
    forget,
    since,
    close() {
      flush()
      leaveSegment()
    },
  }
}
