import { closeSync, openSync, writeSync } from 'node:fs'

export interface TimeIndex {
  /** Starts the index of a new segment. */
  open: (path: string) => void
  /** The byte at `offset` was seen at `at` (ms since 1970). */
  note: (offset: number, at: number) => void
  close: () => void
}

const entryBytes = 16
/** A program that drips a byte a second must not make an index larger than its output. */
const maxEntries = 4096

/** When which part of a segment was written: pairs of doubles (offset, ms), for replay at its own pace. */
export function createTimeIndex(): TimeIndex {
  const entry = Buffer.alloc(entryBytes)
  let fd: number | null = null
  let entries = 0

  function close(): void {
    if (fd !== null) closeSync(fd)
    fd = null
  }

  return {
    open(path) {
      close()
      fd = openSync(path, 'a', 0o600)
      entries = 0
    },
    note(offset, at) {
      if (fd === null || entries >= maxEntries) return
      entry.writeDoubleBE(offset, 0)
      entry.writeDoubleBE(at, 8)
      writeSync(fd, entry)
      entries += 1
    },
    close,
  }
}
