import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept } from '../protocol/holder.ts'
import { createTimeIndex } from './time-index.ts'

export interface ByteLog {
  append: (bytes: Buffer) => void
  /** Everything appended so far is in the files when this returns. */
  flush: () => void
  /** The offset of the next byte. Continuous over all shells of a session. */
  head: () => number
  kept: () => Kept
  close: () => void
}

export interface ByteLogOptions {
  folder: string
  maxBytes: number
  /** Old segments went, or the disk refused bytes. */
  onKept: (kept: Kept) => void
}

const segmentBytes = 1024 * 1024
/** A write costs a system call; a batch of this size makes it negligible beside reading the PTY. */
const batchBytes = 256 * 1024
/** How far the files may be behind: only a holder's own crash loses it, and that ends the shell too. */
const batchMs = 50

interface Segment {
  start: number
  bytes: number
}

/** The clean stream on disk: files of 1 MiB named after the offset of their first byte. */
export function openByteLog({ folder, maxBytes, onKept }: ByteLogOptions): ByteLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const segments = listSegments(folder)
  const last = segments.at(-1)
  const times = createTimeIndex()
  let total = segments.reduce((sum, segment) => sum + segment.bytes, 0)
  let written = last === undefined ? 0 : last.start + last.bytes
  let fd: number | null = null
  let pending: Buffer[] = []
  let pendingBytes = 0
  let refusedBytes = 0
  let timer: NodeJS.Timeout | null = null

  const path = (start: number, extension: string) =>
    join(folder, `${String(start).padStart(16, '0')}.${extension}`)
  const kept = (): Kept => ({ oldest: segments[0]?.start ?? written, refusedBytes })

  function leaveSegment(): void {
    if (fd !== null) closeSync(fd)
    times.close()
    fd = null
  }

  function enterSegment(): Segment {
    const current = segments.at(-1)
    if (fd !== null && current !== undefined && current.bytes < segmentBytes) return current
    leaveSegment()
    fd = openSync(path(written, 'log'), 'a', 0o600)
    times.open(path(written, 'times'))
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

  function trim(): void {
    let dropped = false
    while (total > maxBytes && segments.length > 1) {
      const oldest = segments.shift()
      if (oldest === undefined) break
      total -= oldest.bytes
      rmSync(path(oldest.start, 'log'), { force: true })
      rmSync(path(oldest.start, 'times'), { force: true })
      dropped = true
    }
    if (dropped) onKept(kept())
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
      leaveSegment()
      onKept(kept())
    }
    trim()
  }

  return {
    append(bytes) {
      pending.push(bytes)
      pendingBytes += bytes.length
      if (pendingBytes >= batchBytes) flush()
      else timer ??= setTimeout(flush, batchMs)
    },
    flush,
    head: () => written + pendingBytes,
    kept,
    close() {
      flush()
      leaveSegment()
    },
  }
}

function listSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => ({ start: Number.parseInt(name, 10), bytes: statSync(join(folder, name)).size }))
}
