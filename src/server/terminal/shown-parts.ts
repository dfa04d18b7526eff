import type { Range } from './byte-log-reader.ts'

/**
 * Stands where something is left out: breaks off a sequence that was begun, and starts a new line,
 * since what follows was printed on one.
 */
const seam = Buffer.from('\x18\x1b[0m\r\n')

/** A stretch of the byte log without what is hidden in it. */
export function shownParts(
  { offset, bytes }: { offset: number; bytes: Uint8Array },
  hidden: readonly Range[],
): Uint8Array[] {
  const parts: Uint8Array[] = []
  const end = offset + bytes.length
  let at = offset
  for (const { from, to } of hidden.toSorted((a, b) => a.from - b.from)) {
    if (to <= at || from >= end || from >= to) continue
    parts.push(bytes.subarray(at - offset, Math.max(at, from) - offset), seam)
    at = Math.min(end, to)
  }
  return [...parts, bytes.subarray(at - offset)]
}
