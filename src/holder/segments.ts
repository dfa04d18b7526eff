import { readdirSync, statSync } from 'node:fs'
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
