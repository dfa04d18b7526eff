import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readByteLog } from './byte-log-reader.ts'

/** A part of the byte log and when it was written, ms since 1970. */
export interface Recorded {
  timeMs: number
  bytes: Buffer
}

const entryBytes = 16

/** All that is kept of a session's byte log, in order, each part with its time. */
export async function* readRecording(folder: string): AsyncGenerator<Recorded, void> {
  const times = await readTimes(folder)
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
    const index = await readFile(join(folder, name)).catch(() => Buffer.alloc(0))
    for (let at = 0; at + entryBytes <= index.length; at += entryBytes)
      found.push({ offset: index.readDoubleBE(at), timeMs: index.readDoubleBE(at + 8) })
  }
  return found
}
