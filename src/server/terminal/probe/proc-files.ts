import {
  close,
  closeSync,
  open,
  openSync,
  opendirSync,
  read,
  readSync,
  readlinkSync,
} from 'node:fs'
import { promisify } from 'node:util'

/** `denied`: there, but not for us (another user's process). `gone`: not there (any more). */
export type Reading = { text: string } | 'denied' | 'gone'

/**
 * The few ways the probe looks at `/proc`. Every one is bounded, and none throws. Files that the kernel
 * answers from its own tables are read on the spot: that takes a few microseconds, less than handing
 * them to another thread. Those that may have to wait for the other process (for its memory, or for the
 * end of its `exec`) are read elsewhere and promised.
 */
export interface ProcFiles {
  text: (path: string, maxBytes?: number) => Reading
  /** The target of a link; null when it cannot be read. */
  link: (path: string) => string | null
  /** Names in a folder, at most `max`; null when it cannot be read. */
  list: (path: string, max: number) => readonly string[] | null
  later: (path: string, maxBytes?: number) => Promise<Reading>
  /** Memory of a process; null when it cannot be read. */
  memory: (pid: number, range: { address: number; bytes: number }) => Promise<Buffer | null>
}

/** One page holds any line we look for; only tables of sockets and epoll sets are longer. */
const pageBytes = 4096
const page = Buffer.alloc(pageBytes)

export const procFiles: ProcFiles = {
  text(path, maxBytes = pageBytes) {
    try {
      const descriptor = openSync(path, 'r')
      try {
        const bytes = readSync(descriptor, page, 0, Math.min(maxBytes, pageBytes), null)
        return { text: page.toString('latin1', 0, bytes) }
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      return whyNot(error)
    }
  },
  link(path) {
    try {
      return readlinkSync(path)
    } catch {
      return null
    }
  },
  list(path, max) {
    try {
      return listSync(path, max)
    } catch {
      return null
    }
  },
  async later(path, maxBytes = pageBytes) {
    try {
      return { text: (await readLater(path, { bytes: maxBytes })).toString('latin1') }
    } catch (error) {
      return whyNot(error)
    }
  },
  memory: (pid, { address, bytes }) =>
    readLater(`/proc/${pid}/mem`, { bytes, position: address }).catch(() => null),
}

function listSync(path: string, max: number): readonly string[] {
  const folder = opendirSync(path)
  try {
    const names: string[] = []
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      names.push(entry.name)
      if (names.length >= max) break
    }
    return names
  } finally {
    folder.closeSync()
  }
}

const opened = promisify(open)
const closed = promisify(close)

/** Up to so many bytes: `/proc` gives long files in pieces. */
async function readLater(
  path: string,
  { bytes, position = 0 }: { bytes: number; position?: number },
) {
  const descriptor = await opened(path, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    let filled = 0
    while (filled < bytes) {
      const got = await piece(descriptor, buffer.subarray(filled), position + filled)
      filled += got
      // A file of one short line is complete after its first piece.
      if (got === 0 || bytes <= pageBytes) break
    }
    return buffer.subarray(0, filled)
  } finally {
    await closed(descriptor)
  }
}

function piece(descriptor: number, into: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, into, 0, into.length, position, (error, bytes) =>
      error === null ? resolve(bytes) : reject(error),
    )
  })
}

function whyNot(error: unknown): 'denied' | 'gone' {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'EPERM' || code === 'EACCES' ? 'denied' : 'gone'
}
