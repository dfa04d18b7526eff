import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One file of the byte log: its name is the offset of its first byte. */
export interface Segment {
  start: number
  bytes: number
}

export interface Span {
  from: number
  to: number
}

export function segmentPath(folder: string, start: number, extension: 'log' | 'times'): string {
  return join(folder, `${String(start).padStart(16, '0')}.${extension}`)
}

export function listSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .sort()
    .map((name) => ({ start: Number.parseInt(name, 10), bytes: statSync(join(folder, name)).size }))
}

/** A stretch that is whole in the files. */
export function readSegments(
  folder: string,
  segments: readonly Segment[],
  { from, to }: Span,
): Buffer {
  const parts = segments
    .filter(({ start, bytes }) => start < to && start + bytes > from)
    .map(({ start }) =>
      readFileSync(segmentPath(folder, start, 'log')).subarray(
        Math.max(0, from - start),
        Math.max(0, to - start),
      ),
    )
  return Buffer.concat(parts)
}

/**
 * Which segment goes to make room: one from the middle of a large run, else the oldest. Never the
 * last one: it is being written, and it alone knows where the log's offsets go on.
 */
export function nextToGo(segments: readonly Segment[], middles: readonly Span[]): number | null {
  if (segments.length < 2) return null
  for (const { from, to } of middles) {
    const at = segments.findIndex(({ start, bytes }) => start >= from && start + bytes <= to)
    if (at >= 0 && at < segments.length - 1) return at
  }
  return 0
}

/** The end of the last byte that is missing: what begins behind it is whole. */
export function lastGapEnd(segments: readonly Segment[]): number {
  let end = 0
  let gapEnd = 0
  for (const { start, bytes } of segments) {
    if (start > end) gapEnd = start
    end = start + bytes
  }
  return gapEnd
}
