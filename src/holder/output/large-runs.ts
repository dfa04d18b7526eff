import { appendFileSync, closeSync, constants, openSync, readFileSync } from 'node:fs'
import { addFlags, type Span } from './segments.ts'

interface LargeRunsOptions {
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
export function openLargeRuns({ file, keptBytes }: LargeRunsOptions) {
  const half = Math.floor(keptBytes / 2)
  let runs = readRuns(file).slice(-maxRuns)
  return {
    /** A run with more than `keptBytes` has ended. */
    add(run: Span): void {
      runs = [...runs, run].slice(-maxRuns)
      remember(file, run)
    },
    /** The parts of large runs that may go before anything older does, the oldest run first. */
    middles(open: Span | null): readonly Span[] {
      const isLarge = open !== null && open.to - open.from > keptBytes
      return [...runs, ...(isLarge ? [open] : [])].map(({ from, to }) => ({
        from: from + half,
        to: to - half,
      }))
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
    return withFile(file, constants.O_RDONLY, (descriptor) => readFileSync(descriptor))
  } catch {
    return Buffer.alloc(0)
  }
}

function remember(file: string, { from, to }: Span): void {
  const entry = Buffer.alloc(entryBytes)
  entry.writeDoubleBE(from, 0)
  entry.writeDoubleBE(to, 8)
  try {
    withFile(file, addFlags, (descriptor) => appendFileSync(descriptor, entry))
  } catch {
    // A full disk: a later holder will drop the oldest first, as for any other run.
  }
}

/** A pipe in the file's place fails at once; without the flag it would be waited for for ever. */
function withFile<T>(path: string, flags: number, work: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags | constants.O_NONBLOCK, 0o600)
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
