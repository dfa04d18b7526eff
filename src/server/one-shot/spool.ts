import { type FileHandle, open } from 'node:fs/promises'
import type { StreamRef } from '../../protocol/events/run.ts'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type Captured, namedBinary } from '../../base/text.ts'
import { createCapture } from '../terminal/run/output.ts'
import { unwaited } from '../files/read-regular.ts'

/**
 * Each stream keeps its beginning and its end, 8 MiB in all, so that a run has at most
 * 16 MiB. Stored files are read with these numbers: other ones need another file name.
 */
export const spoolCaps = { head: 4 * 1024 * 1024, tail: 4 * 1024 * 1024 }
type SpoolCaps = typeof spoolCaps

interface Range {
  from: number
  to: number
}

/** One stream's bytes on their way to a file of bounded size. */
type Spool = Awaited<ReturnType<typeof openSpool>>

/**
 * The file holds the stream's head as it is; behind it a ring holds the tail. A disk that is full
 * costs what was printed from then on, never the run.
 */
export async function openSpool(path: string, caps: SpoolCaps = spoolCaps) {
  const file = await open(path, 'w', 0o600).catch(() => null)
  let bytes = 0
  let failedAt: number | null = file === null ? 0 : null

  async function put(chunk: Buffer, to: FileHandle): Promise<void> {
    for (const { offset, length, at } of pieces({ from: bytes, to: bytes + chunk.length }, caps))
      await to.write(chunk, offset - bytes, length, at)
  }

  return {
    async write(chunk: Buffer): Promise<void> {
      if (file !== null && failedAt === null)
        await put(chunk, file).catch(async () => {
          // The ring's older bytes would now be read as younger ones.
          failedAt = Math.min(bytes, caps.head)
          await file.truncate(failedAt).catch(() => undefined)
        })
      bytes += chunk.length
    },
    /** Closes the file, and says how much came and how much of it is not kept. */
    async end(): Promise<StreamRef> {
      await file?.close().catch(() => undefined)
      const kept = failedAt ?? Math.min(bytes, caps.head + caps.tail)
      return { bytes, omitted: bytes - kept }
    },
  }
}

/** The kept part of a range of a stream that had `total` bytes, in order. */
export async function readSpool(
  path: string,
  range: Range & { total: number },
  caps: SpoolCaps = spoolCaps,
): Promise<Buffer> {
  const file = await open(path, unwaited.read).catch(() => null)
  if (file === null) return Buffer.alloc(0)
  const found: Buffer[] = []
  try {
    for (const kept of keptParts(range, caps))
      for (const { length, at } of pieces(kept, caps)) {
        const part = Buffer.alloc(length)
        const read = file.read(part, 0, length, at)
        const { bytesRead } = await read.catch(() => ({ bytesRead: 0 }))
        found.push(part.subarray(0, bytesRead))
      }
  } finally {
    await file.close()
  }
  return Buffer.concat(found)
}

function keptParts({ from, to, total }: Range & { total: number }, caps: SpoolCaps): Range[] {
  const tailFrom = Math.max(caps.head, total - caps.tail)
  const parts = [
    { from, to: Math.min(to, caps.head, total) },
    { from: Math.max(from, tailFrom), to: Math.min(to, total) },
  ]
  return parts.filter((part) => part.from < part.to)
}

/** The places in the file that hold a range of the stream. */
function* pieces(
  { from, to }: Range,
  { head, tail }: SpoolCaps,
): Generator<{ offset: number; length: number; at: number }> {
  for (let offset = from; offset < to;) {
    const inRing = offset < head ? 0 : (offset - head) % tail
    const room = offset < head ? head - offset : tail - inRing
    const length = Math.min(to - offset, room)
    yield { offset, length, at: offset < head ? offset : head + inRing }
    offset += length
  }
}

/** One stream of a command, from its pipe to the file, to those who watch, and to the record. */
export interface Collected {
  /** Resolves at the stream's end, or when it was given up. */
  done: Promise<void>
  text(): Captured
  /** Waits no longer for whoever still holds the pipe. */
  giveUp(): void
  end(): Promise<StreamRef>
}

/** To be called in the same breath as the start: Node throws away what nobody reads at the exit. */
export function collect(
  stream: Readable,
  { spool, onText }: { spool: Spool; onText: (text: string) => void },
): Collected {
  const capture = createCapture()
  const decoder = new StringDecoder('utf8')
  let size = 0

  function take(text: string): void {
    if (text === '') return
    capture.feed(text)
    onText(text)
  }

  /** The next part is read when this one is stored: a flood waits in the pipe, not in memory. */
  async function read(): Promise<void> {
    try {
      for await (const part of stream) {
        const bytes: Buffer = part
        await spool.write(bytes)
        size += bytes.length
        take(decoder.write(bytes))
      }
    } catch {
      // Given up, or broken: what came is what there is.
    }
    take(decoder.end())
  }

  const done = read()
  return {
    done,
    text: () => (capture.isBinary() ? namedBinary(capture.result(), size) : capture.result()),
    giveUp: () => void stream.destroy(),
    async end() {
      await done
      return spool.end()
    },
  }
}
