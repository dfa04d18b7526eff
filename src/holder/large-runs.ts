import { appendFileSync, readFileSync } from 'node:fs'
import type { Span } from './segments.ts'

export interface LargeRuns {
  began: (offset: number) => void
  ended: (offset: number) => void
  /** What of large runs may go before anything older does, the oldest run first. */
  middles: (head: number) => readonly Span[]
}

export interface LargeRunsOptions {
  /** Remembers them for the holder of the session's next shell. */
  file: string
  /** A run beyond this has a middle. Half of it is kept at either end. */
  keptBytes: number
}

const entryBytes = 16
/** More than a full log can hold. */
const maxRuns = 64

/**
 * The runs that printed so much that nobody reads all of it: what matters is how they began and how
 * they ended, and that a flood costs the session's other output as little as possible.
 */
export function openLargeRuns({ file, keptBytes }: LargeRunsOptions): LargeRuns {
  const half = Math.floor(keptBytes / 2)
  let runs = readRuns(file).slice(-maxRuns)
  let from: number | null = null
  const isLarge = (run: Span) => run.to - run.from > keptBytes

  return {
    began(offset) {
      // A command of several lines begins several times before its prompt comes back.
      from ??= offset
    },
    ended(offset) {
      if (from === null) return
      const run = { from, to: offset }
      from = null
      if (!isLarge(run)) return
      runs = [...runs, run].slice(-maxRuns)
      remember(file, run)
    },
    middles(head) {
      const open = from === null ? [] : [{ from, to: head }].filter(isLarge)
      return [...runs, ...open].map((run) => ({ from: run.from + half, to: run.to - half }))
    },
  }
}

function readRuns(file: string): Span[] {
  const bytes = tryRead(file)
  const runs: Span[] = []
  for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes)
    runs.push({ from: bytes.readDoubleBE(at), to: bytes.readDoubleBE(at + 8) })
  return runs
}

function tryRead(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

function remember(file: string, { from, to }: Span): void {
  const entry = Buffer.alloc(entryBytes)
  entry.writeDoubleBE(from, 0)
  entry.writeDoubleBE(to, 8)
  try {
    appendFileSync(file, entry, { mode: 0o600 })
  } catch {
    // A full disk: a later holder will drop the oldest first, as for any other run.
  }
}
