import { type Range, readLogParts } from '../byte-log/read-byte-log.ts'

/** Larger parts stall a client, smaller ones cost more than their text. */
const maxChars = 64 * 1024
/** Below what an eye notices, long enough to join the 4 KB reads of a flood. */
const maxWaitMs = 4
/** More is not held while a gap is measured: it joins the gap. */
const heldChars = 1024 * 1024

/** Takes output as it comes. `skipped` UTF-16 units lie before it that nobody was told. */
export type OnOutput = (text: string, skipped?: number) => void

/** Joins many small pieces of output into few. */
export function createOutputFeed(onOutput: OnOutput) {
  let held = ''
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const text = held
    held = ''
    if (text !== '') onOutput(text)
  }

  return {
    push(text: string): void {
      held += text
      if (held.length >= maxChars) flush()
      else if (held !== '') timer ??= setTimeout(flush, maxWaitMs)
    },
    flush,
  }
}

export interface LiveFeedOptions {
  folder: string
  onOutput: OnOutput
  /** After it, the byte log's files have all that was announced. */
  sync(): Promise<unknown>
}

/**
 * The same for a stream that the holder may have skipped a part of, for a server too far behind. The byte log has it:
 * its length in characters is read there, so that what follows is told at its true place.
 */
export function createLiveFeed({ folder, onOutput, sync }: LiveFeedOptions) {
  const feed = createOutputFeed(onOutput)
  /** Grows while it is measured; the text behind it waits. */
  let gap: Range | null = null
  let held = ''
  let measured: Promise<void> = Promise.resolve()

  async function measure({ from, to: first }: Range, cutUnits: number): Promise<void> {
    let units = cutUnits
    let at = from
    for (let to = first; at < to; to = gap?.to ?? at) {
      await sync()
      units += await unitsOf(folder, { from: at, to })
      at = to
    }
    const text = held
    gap = null
    held = ''
    onOutput(text, units)
  }

  return {
    /** Text that ends at this offset of the stream. */
    push(text: string, to: number): void {
      if (gap === null) return feed.push(text)
      held += text
      if (held.length < heldChars) return
      gap = { ...gap, to }
      held = ''
    },
    /** Nothing came of this range. Before it, the last character may have been cut. */
    skip(range: Range, cutUnits: number): void {
      feed.flush()
      // The text that waited behind an earlier gap lies in the log as well.
      held = ''
      if (gap !== null) {
        gap = { ...gap, to: range.to }
        return
      }
      gap = range
      measured = measure(range, cutUnits)
    },
    async finish(): Promise<void> {
      await measured
      feed.flush()
    },
  }
}

/** Bytes that are gone cannot be counted in characters any more; each counts as one. */
async function unitsOf(folder: string, range: Range): Promise<number> {
  let units = 0
  let end = range.from
  for await (const { offset, bytes } of readLogParts(folder, range)) {
    units += offset - end + unitsIn(bytes)
    end = offset + bytes.length
  }
  return units + range.to - end
}

const isInner = (byte: number) => (byte & 0xc0) === 0x80
const unitsFrom = (lead: number) => (lead >= 0xf0 ? 2 : 1)

/** The UTF-16 units of the characters that begin in these bytes of UTF-8. */
function unitsIn(bytes: Uint8Array): number {
  let units = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (!isInner(byte)) units += unitsFrom(byte)
  }
  return units
}

/** The bytes at the start that belong to a character which began before them. */
export function innerBytes(bytes: Uint8Array): number {
  const lead = bytes.subarray(0, 3).findIndex((byte) => !isInner(byte))
  return lead === -1 ? Math.min(3, bytes.length) : lead
}

/** The UTF-16 units of a character that these bytes begin and do not end. */
export function cutUnits(tail: Uint8Array): number {
  const back = [...tail.subarray(-3)].reverse().findIndex((byte) => !isInner(byte))
  const lead = tail[tail.length - 1 - back] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return back >= 0 && back + 1 < length ? unitsFrom(lead) : 0
}
