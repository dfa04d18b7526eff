import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Range {
  from: number
  to: number
}

/** As much as is read at once; a run may have printed hundreds of megabytes. */
const readBytes = 256 * 1024

/**
 * What is kept of a range of the session's byte log, in order. What was dropped to keep the log
 * within its cap is missing without a trace here; the holder counts it.
 */
export async function* readByteLog(folder: string, range: Range): AsyncGenerator<Buffer, void> {
  const starts = await listStarts(folder)
  for (const [index, start] of starts.entries()) {
    const nextStart = starts[index + 1] ?? Number.POSITIVE_INFINITY
    if (nextStart <= range.from || start >= range.to) continue
    yield* readSegment(join(folder, segmentName(start)), {
      from: Math.max(range.from - start, 0),
      to: range.to - start,
    })
  }
}

async function* readSegment(path: string, range: Range): AsyncGenerator<Buffer, void> {
  // The holder may drop the oldest segment at any time.
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return
  try {
    for (let at = range.from; at < range.to;) {
      const bytes = Buffer.allocUnsafe(Math.min(readBytes, range.to - at))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
      if (bytesRead === 0) return
      yield bytes.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

async function listStarts(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => Number.parseInt(name, 10))
}

function segmentName(start: number): string {
  return `${String(start).padStart(16, '0')}.log`
}
