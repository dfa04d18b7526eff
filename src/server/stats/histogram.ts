/** How often each time was seen. Times over a second are kept to three digits, so that it stays small. */
export type Histogram = Map<number, number>

export function note(histogram: Histogram, ms: number): void {
  const value = coarse(Math.max(0, Math.round(ms)))
  histogram.set(value, (histogram.get(value) ?? 0) + 1)
}

function coarse(ms: number): number {
  if (ms < 1_000) return ms
  const unit = 10 ** (Math.floor(Math.log10(ms)) - 2)
  return Math.round(ms / unit) * unit
}

/** The smallest time that so much of all stays within; null when there is none. */
export function percentile(histogram: Histogram, part: number): number | null {
  const wanted = Math.ceil(total(histogram) * part)
  let seen = 0
  for (const [ms, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count
    if (seen >= wanted) return ms
  }
  return null
}

export function total(histogram: Histogram): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0)
}
