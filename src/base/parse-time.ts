const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Timers cannot count further: a longer one goes off at once. */
export const longestMs = 2 ** 31 - 1

/** "90s", "5m", "1.5h", or bare seconds, in milliseconds; null for anything else. */
export function parseTime(text: string): number | null {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? []
  if (amount === undefined) return null
  const ms = Math.round(Number(amount) * (units[unit] ?? 0))
  return ms > 0 && ms <= longestMs ? ms : null
}
