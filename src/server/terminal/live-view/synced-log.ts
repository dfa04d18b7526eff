import { readByteLog, readLogParts, type Range } from '../byte-log/read-byte-log.ts'
import type { Snapshot } from '../emulator/screen/screen.ts'
import type { ScreenStart } from './live-screen.ts'

/** About 50 ms of an emulator's time, and far more than a screen with its scrollback. */
const tailBytes = 1024 * 1024
/** More than this takes longer to draw than an exact screen is worth waiting for. */
const maxReplayBytes = 32 * 1024 * 1024
const maxFirstBytes = 4 * 1024 * 1024
const newline = 0x0a

export type SyncedLog = ReturnType<typeof createSyncedLog>

/** The byte log as the live view reads it: what the stream has passed is on disk before it is read. */
export function createSyncedLog(folder: string, sync: () => Promise<unknown>) {
  /** The bytes that are kept of a range. */
  async function read(range: Range): Promise<Buffer> {
    const wanted = range.to - range.from
    if (wanted <= 0) return Buffer.alloc(0)
    // Most is on disk already, and in a flood the holder's word is long on its way.
    const found = await readNow(range)
    if (found.length === wanted) return found
    await sync()
    return readNow(range)
  }

  async function readNow(range: Range): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const bytes of readByteLog(folder, range)) pieces.push(bytes)
    return Buffer.concat(pieces)
  }

  /** The last part of the stream, as far back as it is kept without a gap. */
  async function tail(to: number): Promise<ScreenStart> {
    const wanted = Math.max(0, to - tailBytes)
    await sync()
    let from = to
    let end = to
    let pieces: Buffer[] = []
    for await (const { offset, bytes } of readLogParts(folder, { from: wanted, to })) {
      if (offset !== end || pieces.length === 0) {
        pieces = []
        from = offset
      }
      pieces.push(bytes)
      end = offset + bytes.length
    }
    if (end !== to) return { offset: to, bytes: Buffer.alloc(0) }
    const bytes = Buffer.concat(pieces)
    // The middle of a line may be the middle of a sequence.
    const skipped = from === 0 ? 0 : bytes.indexOf(newline) + 1
    return { offset: from + skipped, bytes: bytes.subarray(skipped) }
  }

  /** The whole range, or null when part of it is gone. */
  async function exactly(range: Range): Promise<Buffer | null> {
    const bytes = await read(range)
    return bytes.length === Math.max(0, range.to - range.from) ? bytes : null
  }

  return {
    read,
    exactly,
    /** The bytes to draw the screen at `to` from: all since a checkpoint, else the last of the stream. */
    async start(to: number, checkpoint: Snapshot | null): Promise<ScreenStart> {
      const offset = checkpoint?.offset ?? 0
      const most = checkpoint === null ? maxFirstBytes : maxReplayBytes
      const isNear = offset <= to && to - offset <= most
      const bytes = isNear ? await exactly({ from: offset, to }) : null
      if (bytes === null) return tail(to)
      return checkpoint === null ? { offset, bytes } : { checkpoint, offset, bytes }
    },
  }
}
