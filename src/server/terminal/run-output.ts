import { StringDecoder } from 'node:string_decoder'
import { readByteLog, type Range } from './byte-log-reader.ts'
import { createCapture } from './capture.ts'
import { createOutputFeed } from './output-feed.ts'
import type { Captured } from './terminal.ts'

export interface RunOutput {
  /** Output at this offset, as it arrives. */
  add: (offset: number, bytes: Buffer) => void
  /** What the byte log already has of it, when a run is picked up again. Live output waits for it. */
  catchUp: (range: Range) => Promise<void>
  soFar: () => Captured
  /** The whole, once its range is known. Reads the log only if something was missed on the way. */
  finish: (range: Range) => Promise<Captured>
}

export interface RunOutputOptions {
  folder: string
  onOutput: (text: string) => void
  /** After it, the byte log's files have all that was announced. */
  sync: () => Promise<void>
}

/** One run's output: to those who watch, as text with colours; for the model, plain and bounded. */
export function createRunOutput({ folder, onOutput, sync }: RunOutputOptions): RunOutput {
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
    let at = range.from
    for await (const bytes of readByteLog(folder, range)) {
      take(at, bytes)
      at += bytes.length
    }
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
    const exact = taken === null ? range.from === range.to : whole && same(taken, range)
    if (exact) return capture.result()
    await sync()
    return captureLog(folder, range)
  }

  return {
    add(offset, bytes) {
      if (waiting !== null) waiting.push({ offset, bytes: Buffer.from(bytes) })
      else take(offset, bytes)
    },
    catchUp,
    soFar: () => capture.result(),
    finish,
  }
}

/** A part of the byte log as plain text. */
export async function captureLog(folder: string, range: Range): Promise<Captured> {
  const decoder = new StringDecoder('utf8')
  const capture = createCapture()
  for await (const bytes of readByteLog(folder, range)) capture.feed(decoder.write(bytes))
  capture.feed(decoder.end())
  return capture.result()
}

const same = (a: Range, b: Range) => a.from === b.from && a.to === b.to
