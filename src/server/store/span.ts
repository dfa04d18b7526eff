import type { Head } from '../../protocol/seq.ts'
import type { Range } from './store.ts'

/** The seqs, both included, that a range takes from a log; none when `to < from`. */
export function span(range: Range, head: Head): { from: number; to: number } {
  const { after, before, limit } = range
  checkLimit(limit)
  const first = (after ?? 0) + 1
  const last = Math.min(head, (before ?? Infinity) - 1)
  const newest = after === undefined && before !== undefined
  return newest
    ? { from: Math.max(first, last - limit + 1), to: last }
    : { from: first, to: Math.min(last, first + limit - 1) }
}

/** To SQLite a negative limit means none, and a cap must not vanish by a sign. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 0) throw new RangeError(`not a limit: ${limit}`)
}
