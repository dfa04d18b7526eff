import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Checkpoint } from '../../../protocol/holder/holder.ts'
import { readSmallFile, readSmallText } from '../../../skill/read-file.ts'
import { readByteLog } from './read-byte-log.ts'
import type { CastItem } from '../emulator/output/cast.ts'

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
