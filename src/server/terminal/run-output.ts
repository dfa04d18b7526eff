import { StringDecoder } from 'node:string_decoder'
import { readLogParts, type Range } from './byte-log-reader.ts'
import { type Capture, createCapture } from './capture.ts'
import { type DrawPart, drawOutput } from './draw-output.ts'
import type { Captured } from './terminal.ts'

export interface RunOutput {
  /** Output at this offset, as it arrives. */
  add: (offset: number, bytes: Buffer) => void
  /** What the byte log already has of it, when a run is picked up again. Live output waits for it. */
  catchUp: (range: Range) => Promise<void>
  soFar: () => Promise<Captured>
  /** False once only a terminal knows what it looks like. */
  isExact: () => boolean
  /** The whole, once its range is known. Reads the log only if something was missed on the way. */
  finish: (range: Range) => Promise<Captured>
}

export interface RunOutputOptions {
  folder: string
  onOutput: (text: string) => void
  /** After it, the byte log's files have all that was announced. */
  sync: () => Promise<unknown>
  /** Null: there is no emulator, and output that moves the cursor is only approximated. */
  draw: DrawPart | null
}

/** One run's output: to those who watch, as text with colours; for the model, plain and bounded. */
export function createRunOutput({ folder, onOutput, sync, draw }: RunOutputOptions): RunOutput {
  const decoder = new StringDecoder('utf8')
  const capture = createCapture()
  const feed = createOutputFeed(onOutput)
  let taken: Range | null = null
  let whole = true
  let catching: Promise<void> | null = null
  let waiting: { offset: number; bytes: Buffer }[] | null = null

  function take(offset: number, bytes: Buffer): void {
    // A server too far behind is skipped by the holder; the log has what it missed.
    if (taken !== null && taken.to !== offset) whole = false
    taken = { from: taken?.from ?? offset, to: offset + bytes.length }
    const text = decoder.write(bytes)
    capture.feed(text)
    feed.push(text)
  }

  function catchUp(range: Range): Promise<void> {
    waiting = []
    catching = readMissed(range)
    return catching
  }

  async function readMissed(range: Range): Promise<void> {
    await sync()
    for await (const { offset, bytes } of readLogParts(folder, range)) take(offset, bytes)
    const arrived = waiting ?? []
    waiting = null
    for (const { offset, bytes } of arrived) take(offset, bytes)
  }

  async function finish(range: Range): Promise<Captured> {
    if (catching !== null) await catching
    const rest = decoder.end()
    capture.feed(rest)
    feed.push(rest)
    feed.flush()
    const isAll = taken === null ? range.from === range.to : whole && same(taken, range)
    if (isAll) return finalText(capture, range)
    await sync()
    return finalText(await readCapture(folder, range), range)
  }

  async function finalText(of: Capture, range: Range): Promise<Captured> {
    if (draw === null || of.isExact()) return of.result()
    await sync()
    return drawOutput({ folder, range, draw }, of.result())
  }

  return {
    add(offset, bytes) {
      if (waiting !== null) waiting.push({ offset, bytes: Buffer.from(bytes) })
      else take(offset, bytes)
    },
    catchUp,
    soFar: async () => (taken === null ? capture.result() : finalText(capture, taken)),
    isExact: capture.isExact,
    finish,
  }
}

/** A part of the byte log as plain text. */
export async function captureLog(folder: string, range: Range): Promise<Captured> {
  return (await readCapture(folder, range)).result()
}

/** What is gone cannot be counted in characters any more; it counts as many as it had bytes. */
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

const same = (a: Range, b: Range) => a.from === b.from && a.to === b.to

interface OutputFeed {
  push(text: string): void
  flush(): void
}

/** Larger parts stall a client, smaller ones cost more than their text. */
const maxChars = 64 * 1024
/** Below what an eye notices, long enough to join the 4 KB reads of a flood. */
const maxWaitMs = 4

/** Joins many small pieces of output into few. */
export function createOutputFeed(onOutput: (text: string) => void): OutputFeed {
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
    push(text) {
      held += text
      if (held.length >= maxChars) flush()
      else if (held !== '') timer ??= setTimeout(flush, maxWaitMs)
    },
    flush,
  }
}
