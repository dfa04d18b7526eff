const thousand = 1_000
const million = 1_000_000

/** "812", "1.2k", "41k", "1.2M": a count at a glance. */
export function shortCount(count: number): string {
  if (count < thousand) return String(count)
  // A count that rounds up to a thousand thousands is a million.
  const isSmall = Math.round(count / thousand) < thousand
  const value = count / (isSmall ? thousand : million)
  const digits = value < 9.95 ? 1 : 0
  return `${value.toFixed(digits).replace(/\.0$/, '')}${isSmall ? 'k' : 'M'}`
}

/** "$0.12", "$0.004"; a part that has no price makes it "≥ $0.12". */
export function money(usd: number, { isPartial = false } = {}): string {
  const sign = isPartial ? '≥ ' : ''
  if (usd > 0 && usd < 0.000_5) return isPartial ? '≥ $0' : '< $0.001'
  return `${sign}$${usd.toFixed(usd >= 0.1 || usd === 0 ? 2 : 3)}`
}
