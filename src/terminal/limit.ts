/** How long a run may last, or be silent. */
export interface Limit {
  readonly ms: number
  readonly counts: 'duration' | 'silence'
  /** It counts from here: the beginning, or the last sign of life. */
  readonly since: number
  /** `watched`: whether it computes is being looked at. `near`: those who watch are told that it will end. */
  readonly phase: 'far' | 'watched' | 'near' | 'over'
  /** Whether it has computed was asked, and is not answered yet. */
  readonly isAsked: boolean
  /** While somebody is waited for, its time is not up. */
  readonly isPaused: boolean
}

/** Long enough to see it and to call it off. */
const noticeMs = 10_000
/** Before that it is looked at for so long: what works need not be announced. */
const watchMs = 1_000

export function startLimit(
  counts: Limit['counts'],
  { ms, usedMs, now }: { ms: number; usedMs: number; now: number },
): Limit | null {
  if (ms === 0) return null
  const since = counts === 'silence' ? now : now - usedMs
  return { ms, counts, since, phase: 'far', isAsked: false, isPaused: false }
}

function lastMs({ ms }: Limit): number {
  return Math.min(noticeMs, ms / 2)
}

/** When to look at it next. */
export function limitWakesAt(limit: Limit): number {
  const { counts, phase, isPaused, isAsked, since, ms } = limit
  const end = since + ms
  if (phase === 'over' || isAsked || isPaused) return Number.POSITIVE_INFINITY
  if (counts === 'duration') return end
  const last = lastMs(limit)
  if (phase === 'near') return end
  return phase === 'watched' ? end - last : end - last - Math.min(watchMs, (ms - last) / 2)
}

/** `asks`: has it computed since it was last asked? What works is not silent. */
export type LimitNews =
  | { type: 'asks' }
  | { type: 'near'; leftMs: number }
  | { type: 'far' }
  | { type: 'reached' }

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
  const isLate = limit.counts === 'duration' && now < limit.since + limit.ms
  const isOn = limit.isPaused && !isPaused && !isLate
  // What it is paused for says more than that it is about to end. Time that was up meanwhile begins anew.
  return { ...limit, isPaused, phase: 'far', since: isOn ? now : limit.since }
}

/** Somebody wants it to go on: there is no limit any more. */
export function keepLimit(limit: Limit): Limited {
  const news = limit.phase === 'near' ? ({ type: 'far' } as const) : null
  return { limit: { ...limit, phase: 'over' }, news }
}

export function lookLimit(limit: Limit, now: number): Limited {
  if (now < limitWakesAt(limit)) return { limit, news: null }
  if (limit.counts === 'duration')
    return { limit: { ...limit, phase: 'over' }, news: { type: 'reached' } }
  return { limit: { ...limit, isAsked: true }, news: { type: 'asks' } }
}

/** The answer to whether it has computed. */
export function answerLimit(before: Limit, hasWorked: boolean, now: number): Limited {
  const limit = { ...before, isAsked: false }
  // Somebody stirred meanwhile, or nothing counts any more.
  if (!before.isAsked || limit.isPaused || now < limitWakesAt(limit)) return { limit, news: null }
  if (limit.phase === 'far') return { limit: { ...limit, phase: 'watched' }, news: null }
  if (hasWorked) return stirLimit(limit, now)
  const leftMs = limit.since + limit.ms - now
  if (leftMs <= 0) return { limit: { ...limit, phase: 'over' }, news: { type: 'reached' } }
  const near = Math.min(leftMs, lastMs(limit))
  return { limit: { ...limit, phase: 'near' }, news: { type: 'near', leftMs: near } }
}
