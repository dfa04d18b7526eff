import { readByteLog, type Range } from '../byte-log-reader.ts'

/** The byte log as the lane reads it: what the stream has passed is on disk before it is read. */
export interface LaneLog {
  /** What is kept of a range. */
  read(range: Range): Promise<Buffer>
  /** The whole range, or null when part of it is gone. */
  exactly(range: Range): Promise<Buffer | null>
  /** The end of the stream up to here: enough to draw the screen from. */
  tail(to: number): Promise<{ offset: number; bytes: Buffer }>
}

/** About 50 ms of an emulator's time, and far more than a screen with its scrollback. */
const tailBytes = 1024 * 1024
const newline = 0x0a

export function createLaneLog(folder: string, sync: () => Promise<void>): LaneLog {
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

  async function exactly(range: Range): Promise<Buffer | null> {
    const bytes = await read(range)
    return bytes.length === Math.max(0, range.to - range.from) ? bytes : null
  }

  return {
    read,
    exactly,
    async tail(to) {
      const from = Math.max(0, to - tailBytes)
      const bytes = await exactly({ from, to })
      if (bytes === null) return { offset: to, bytes: Buffer.alloc(0) }
      // Not from the middle of a line, which may be the middle of a sequence.
      const skipped = from === 0 ? 0 : bytes.indexOf(newline) + 1
      return { offset: from + skipped, bytes: bytes.subarray(skipped) }
    },
  }
}
