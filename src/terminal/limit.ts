/** How long a run may last, or be silent. */
export interface Limit {
  readonly ms: number
  readonly counts: 'duration' | 'silence'
  /** It counts from here: the beginning, or the last sign of life. */
  readonly since: number
  /** `near`: those who watch are told that it will end. */
  readonly phase: 'far' | 'near' | 'over'
  /** While somebody is waited for, silence does not count. */
  readonly isPaused: boolean
}

/** Long enough to see it and to call it off. */
const noticeMs = 10_000

export function startLimit(
  counts: Limit['counts'],
  { ms, usedMs, now }: { ms: number; usedMs: number; now: number },
): Limit | null {
  if (ms === 0) return null
  const since = counts === 'silence' ? now : now - usedMs
  return { ms, counts, since, phase: 'far', isPaused: false }
}

function lastMs({ ms, counts }: Limit): number {
  return counts === 'silence' ? Math.min(noticeMs, ms / 2) : 0
}

/** When to look at it next. */
export function limitWakesAt(limit: Limit): number {
  if (limit.phase === 'over') return Number.POSITIVE_INFINITY
  if (limit.isPaused && limit.counts === 'silence') return Number.POSITIVE_INFINITY
  const end = limit.since + limit.ms
  return limit.phase === 'far' ? end - lastMs(limit) : end
}

export type LimitNews = { type: 'near'; leftMs: number } | { type: 'far' } | { type: 'reached' }

interface Limited {
  limit: Limit
  news: LimitNews | null
}

/** There was output, or somebody typed. */
export function stirLimit(limit: Limit, now: number): Limited {
  if (limit.counts === 'duration' || limit.phase === 'over') return { limit, news: null }
  const news = limit.phase === 'near' ? ({ type: 'far' } as const) : null
  return { limit: { ...limit, since: now, phase: 'far' }, news }
}

export function pauseLimit(limit: Limit, isPaused: boolean, now: number): Limit {
  if (limit.phase === 'over') return { ...limit, isPaused }
  const isOn = limit.isPaused && !isPaused && limit.counts === 'silence'
  // What it is paused for says more than that it is about to end.
  return { ...limit, isPaused, phase: 'far', since: isOn ? now : limit.since }
}

/** Somebody wants it to go on: there is no limit any more. */
export function keepLimit(limit: Limit): Limited {
  const news = limit.phase === 'near' ? ({ type: 'far' } as const) : null
  return { limit: { ...limit, phase: 'over' }, news }
}

export function lookLimit(limit: Limit, now: number): Limited {
  if (now < limitWakesAt(limit)) return { limit, news: null }
  const leftMs = limit.since + limit.ms - now
  if (leftMs <= 0) return { limit: { ...limit, phase: 'over' }, news: { type: 'reached' } }
  return { limit: { ...limit, phase: 'near' }, news: { type: 'near', leftMs } }
}
