import { join } from 'node:path'
import type { Kept } from '../../protocol/holder/holder.ts'
import { openLargeRuns } from './large-runs.ts'
import { lastGapEnd, nextToGo, openSegments } from './segments.ts'

export type ByteLog = ReturnType<typeof openByteLog>

export interface ByteLogOptions {
  folder: string
  maxBytes: number
  /** So much of a run is kept for certain, as long as it is not the oldest. */
  runBytes: number
  /** The first offset of a log that has nothing yet. */
  from?: number
  /** Segments went, or the disk refused bytes. */
  onKept: (kept: Kept) => void
}

/** A write costs a system call; a batch of this size makes it negligible beside reading the PTY. */
const batchBytes = 256 * 1024
/** How far the files may be behind: only a holder's own crash loses it, and that ends the shell too. */
const batchMs = 50
/** Nobody copies more while the shell waits. */
const sinceBytes = 4 * 1024 * 1024

/** The clean stream on disk, in batches. */
export function openByteLog(options: ByteLogOptions) {
  const { runBytes } = options
  const disk = openDisk(options)
  let pending: Buffer[] = []
  let pendingBytes = 0
  let timer: NodeJS.Timeout | null = null
  let runFrom: number | null = null
  let isClosed = false

  /** The offset of the next byte. Continuous over all shells of a session. */
  const head = () => disk.written + pendingBytes

  /** Everything appended so far is in the files when this returns. */
  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pendingBytes === 0) return
    const batch =
      pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    disk.write(batch)
    disk.trim(runFrom)
  }

  return {
    append(bytes: Buffer): void {
      if (isClosed) return
      pending.push(bytes)
      pendingBytes += bytes.length
      if (pendingBytes >= batchBytes) flush()
      else timer ??= setTimeout(flush, batchMs)
    },
    flush,
    head,
    kept: disk.kept,
    /** A run's output begins or ends at the head: of a large one the middle goes first. */
    runBegan(): void {
      // A command of several lines begins several times before its prompt comes back.
      runFrom ??= head()
    },
    runEnded(): void {
      const run = runFrom === null ? null : { from: runFrom, to: head() }
      runFrom = null
      if (run !== null && run.to - run.from > runBytes) disk.runs.add(run)
    },
    /** Lets go of all before this offset, for the sake of other sessions. */
    forget: disk.forget,
    /** All from this offset on; null when that is too much, or not kept. */
    since(offset: number): Buffer | null {
      flush()
      return disk.since(offset)
    },
    /** Nothing is written from here on: the folder may be on its way to be deleted. */
    close(): void {
      flush()
      isClosed = true
      disk.close()
    },
  }
}

/** The files of the log, within their cap. */
function openDisk({ folder, maxBytes, runBytes, from = 0, onKept }: ByteLogOptions) {
  const segments = openSegments(folder)
  const { list } = segments
  const runs = openLargeRuns({ file: join(folder, 'large-runs'), keptBytes: runBytes })
  const last = list.at(-1)
  let total = list.reduce((sum, { bytes }) => sum + bytes, 0)
  let refusedBytes = 0
  let missingBefore = last === undefined ? from : lastGapEnd(list)
  const disk = {
    /** The offset behind the last byte in the files. */
    written: last === undefined ? from : last.start + last.bytes,
    runs,
    kept: (): Kept => ({ oldest: list[0]?.start ?? disk.written, refusedBytes, missingBefore }),
    write,
    trim,
    forget,
    since,
    close: segments.close,
  }
  if (last === undefined && from > 0) segments.write(from, Buffer.alloc(0), () => {})

  function write(batch: Buffer): void {
    const target = disk.written + batch.length
    try {
      segments.write(disk.written, batch, (count) => {
        disk.written += count
        total += count
      })
    } catch {
      // A full disk costs the recording, never the shell: the offsets go on, the gap is counted.
      refusedBytes += target - disk.written
      disk.written = target
      missingBefore = target
      segments.close()
      onKept(disk.kept())
    }
  }

  function drop(index: number): void {
    const dropped = segments.drop(index)
    if (dropped === undefined) return
    total -= dropped.bytes
    missingBefore = Math.max(missingBefore, dropped.start + dropped.bytes)
  }

  function trim(runFrom: number | null): void {
    if (total <= maxBytes) return
    const before = list.length
    const open = runFrom === null ? null : { from: runFrom, to: disk.written }
    while (total > maxBytes) {
      const index = nextToGo(list, runs.middles(open))
      if (index === null) break
      drop(index)
    }
    if (list.length < before) onKept(disk.kept())
  }

  function forget(before: number): void {
    const gone = list.slice(0, -1).filter(({ start, bytes }) => start + bytes <= before)
    for (const _ of gone) drop(0)
    if (gone.length > 0) onKept(disk.kept())
  }

  function since(offset: number): Buffer | null {
    if (offset < missingBefore || disk.written - offset > sinceBytes) return null
    return segments.read({ from: offset, to: disk.written })
  }

  return disk
}
