/** The value below which this share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`
}

/** A row of the printed table. */
export interface Row {
  what: string
  figure: string
  /** Beside what it was measured in the same run, and what we want. */
  beside?: string
}

export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length))
  return rows
    .map(
      ({ what, figure, beside = '' }) => `${what.padEnd(width)}  ${figure.padStart(14)}  ${beside}`,
    )
    .join('\n')
}

/** Of the straight line that lies closest to the points: a trend, where two samples show only noise. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (list: readonly number[]) =>
    list.reduce((sum, value) => sum + value, 0) / list.length
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) }
  const spread = points.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0)
  return points.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread
}
