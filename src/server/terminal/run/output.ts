import { StringDecoder } from 'node:string_decoder'
import { readLogParts, type Range } from '../byte-log/read-byte-log.ts'
import { type DrawPart, drawOutput } from './draw-output.ts'
import { createLiveFeed, cutUnits, innerBytes, type OnOutput } from './live-feed.ts'
import { createPlainText } from './plain-text.ts'
import { createBinaryMeter, namedBinary } from '../../../base/text.ts'
import type { Captured } from '../terminal.ts'

/** A run's output: to those who watch, as text with colours; for the model, plain and bounded. */
export interface RunOutput {
  /** Output at this offset, as it arrives. */
  add(offset: number, bytes: Buffer): void
  soFar(): Promise<Captured>
  /** False once only a terminal knows what it looks like. */
  isExact(): boolean
  /** The whole, once its range is known. Reads the log only if something was missed on the way. */
  finish(range: Range): Promise<Captured>
}

export interface RunOutputOptions {
  folder: string
  onOutput: OnOutput
  /** After it, the byte log's files have all that was announced. */
  sync(): Promise<unknown>
  /** Null: there is no emulator, and output that moves the cursor is only approximated. */
  draw: DrawPart | null
}

export function createRunOutput({ folder, onOutput, sync, draw }: RunOutputOptions): RunOutput {
  let decoder = new StringDecoder('utf8')
  const capture = createCapture()
  const feed = createLiveFeed({ folder, onOutput, sync })
  /** The last bytes, which may have begun a character. */
  let tail: Buffer = Buffer.alloc(0)
  let taken: Range | null = null
  let whole = true

  async function finalText(of: Capture, range: Range): Promise<Captured> {
    if (of.isBinary()) {
      await sync()
      return namedBinary(of.result(), await writtenBytes(folder, range))
    }
    if (draw === null || of.isExact()) return of.result()
    await sync()
    return drawOutput({ folder, range, draw }, of.result())
  }

  function missed(range: Range): void {
    whole = false
    feed.skip(range, cutUnits(tail))
    decoder = new StringDecoder('utf8')
    tail = Buffer.alloc(0)
  }

  return {
    add(offset, bytes) {
      const to = offset + bytes.length
      const isSkipped = taken !== null && taken.to !== offset
      // A server too far behind is skipped by the holder; the log has what it missed.
      if (isSkipped) missed({ from: taken?.to ?? offset, to: offset })
      taken = { from: taken?.from ?? offset, to }
      tail = bytes.length < 3 ? Buffer.concat([tail, bytes]) : bytes
      const text = decoder.write(isSkipped ? bytes.subarray(innerBytes(bytes)) : bytes)
      capture.feed(text)
      feed.push(text, to)
    },
    soFar: async () => (taken === null ? capture.result() : finalText(capture, taken)),
    isExact: capture.isExact,
    async finish(range) {
      const rest = decoder.end()
      capture.feed(rest)
      feed.push(rest, range.to)
      await feed.finish()
      const isAll = taken === null ? range.from === range.to : whole && isSame(taken, range)
      if (isAll) return finalText(capture, range)
      await sync()
      return finalText(await readCapture(folder, range), range)
    },
  }
}

const isSame = (a: Range, b: Range) => a.from === b.from && a.to === b.to

const [carriageReturn, lineFeed] = [0x0d, 0x0a]

/** The bytes that a program wrote: its terminal puts a carriage return before each of its line ends. */
async function writtenBytes(folder: string, range: Range): Promise<number> {
  let added = 0
  let last = 0
  for await (const { bytes } of readLogParts(folder, range)) {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
      if ((at === 0 ? last : bytes[at - 1]) === carriageReturn) added += 1
    last = bytes.at(-1) ?? last
  }
  return range.to - range.from - added
}

/** A part of the byte log as plain text. */
export async function captureLog(folder: string, range: Range): Promise<Captured> {
  return (await readCapture(folder, range)).result()
}

/** Bytes that are gone cannot be counted in characters any more; each counts as one. */
async function readCapture(folder: string, range: Range): Promise<Capture> {
  const decoder = new StringDecoder('utf8')
  const capture = createCapture()
  let end = range.from
  for await (const { offset, bytes } of readLogParts(folder, range)) {
    if (offset > end) capture.skip(offset - end)
    capture.feed(decoder.write(bytes))
    end = offset + bytes.length
  }
  capture.feed(decoder.end())
  if (range.to > end) capture.skip(range.to - end)
  return capture
}

/** Far more than any record of it shows, little enough to keep for every run. In UTF-16 units. */
const headChars = 256 * 1024
const tailChars = 256 * 1024
const partChars = 16 * 1024

export type Capture = ReturnType<typeof createCapture>

/** A run's output as plain text: its first and its last part, and how much lay between, exactly. */
export function createCapture() {
  let head = ''
  let tail: string[] = []
  let tailLength = 0
  let dropped = 0
  /** The head's; what was captured before a gap is all of it. */
  let most = headChars

  /** Few large parts: dropping the first one must not cost a copy of many. */
  function append(text: string): void {
    const last = tail.at(-1)
    if (last !== undefined && last.length < partChars) tail[tail.length - 1] = last + text
    else tail.push(text)
    tailLength += text.length
  }

  function add(text: string): void {
    const room = most - head.length
    if (room >= text.length) {
      head += text
      return
    }
    head += text.slice(0, room)
    append(text.slice(room))
    let first = tail[0]
    while (first !== undefined && tailLength - first.length >= tailChars) {
      dropped += first.length
      tailLength -= first.length
      tail = tail.slice(1)
      first = tail[0]
    }
  }

  const plain = createPlainText(add)
  const meter = createBinaryMeter()

  /** The text so far; feeding may go on. */
  function result(): Captured {
    const end = tail.join('') + (head.length < most ? '' : plain.pending())
    const whole = head.length < most ? head + plain.pending() : head
    const kept = whole.slice(0, most)
    const rest = whole.slice(most) + end
    if (dropped === 0 && rest.length <= tailChars)
      return { head: kept, tail: rest, omittedChars: 0 }
    const cutHead = kept.slice(0, isLead(kept.charCodeAt(kept.length - 1)) ? -1 : undefined)
    let cutTail = rest.slice(-tailChars)
    if (isTrail(cutTail.charCodeAt(0))) cutTail = cutTail.slice(1)
    const all = kept.length + dropped + rest.length
    return { head: cutHead, tail: cutTail, omittedChars: all - cutHead.length - cutTail.length }
  }

  return {
    feed(text: string): void {
      meter.feed(text)
      plain.feed(text)
    },
    isBinary: meter.isBinary,
    /** This much lies between, and nobody can read it any more. */
    skip(chars: number): void {
      most = head.length
      dropped += chars
    },
    result,
    isExact: plain.isExact,
  }
}

const isLead = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isTrail = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
