import type { Effect } from '../effect.ts'
import type { Run } from '../shell/run.ts'
import type { Track } from '../shell/track.ts'
import type { Shell, TerminalState } from '../state.ts'
import { type Step, stay } from '../shells.ts'

/**
 * Finds out that a shell is back at its prompt though no mark came: its hooks were unset, or its prompt goes
 * to a file. The kernel is asked, and only after a silence.
 */
export interface Idle {
  readonly stirredAt: number
  /** The next look; null while an answer is awaited. */
  readonly lookAt: number | null
  readonly waitMs: number
  /** The number of times in a row that it looked idle. */
  readonly times: number
  /** The time at which the shell had last stirred as the kernel was asked. */
  readonly askedAt: number
}

export const firstIdleMs = 150

export function startIdle(now: number): Idle {
  const waitMs = firstIdleMs
  return { stirredAt: now, lookAt: now + waitMs, waitMs, times: 0, askedAt: now }
}

/** Watches for the prompt from loading on, when it must come back; before, the shell is rightly idle. */
export function watchIdle(run: Run, track: Track, now: number): Run {
  if (track.loaded === null || track.isAround) return run
  return { ...run, idle: run.idle === null ? startIdle(now) : { ...run.idle, stirredAt: now } }
}

/** The time that a run may last, or be silent. */
export interface Limit {
  readonly ms: number
  readonly counts: 'duration' | 'silence'
  /** It counts from here: the beginning, or the last sign of life. */
  readonly since: number
  /** `watched`: whether it computes is being looked at. `near`: those who watch are told that it will end. */
  readonly phase: 'far' | 'watched' | 'near' | 'over'
  /** The question whether it has computed is not answered yet. */
  readonly isAsked: boolean
  /** While somebody is waited for, its time is not up. */
  readonly isPaused: boolean
}

/** A limit, and what those who watch the run learn of it. `asks`: has it computed since it was last asked? */
export interface Limited {
  limit: Limit
  news:
    | { type: 'asks' }
    | { type: 'near'; leftMs: number }
    | { type: 'far' }
    | { type: 'reached' }
    | null
}

/** Long enough to see it and to call it off. */
const noticeMs = 10_000
/** Before the notice it is looked at for so long: a program that works need not be announced. */
const watchMs = 1_000

export function startLimit(
  counts: Limit['counts'],
  { ms, usedMs, now }: { ms: number; usedMs: number; now: number },
): Limit | null {
  if (ms === 0) return null
  const since = counts === 'silence' ? now : now - usedMs
  return { ms, counts, since, phase: 'far', isAsked: false, isPaused: false }
}

/** The part of the limit that is announced. */
export function announcedMs({ ms }: Limit): number {
  return Math.min(noticeMs, ms / 2)
}

export function limitWakesAt(limit: Limit): number {
  const { counts, phase, isPaused, isAsked, since, ms } = limit
  const end = since + ms
  if (phase === 'over' || isAsked || isPaused) return never
  if (counts === 'duration' || phase === 'near') return end
  const last = announcedMs(limit)
  return phase === 'watched' ? end - last : end - last - Math.min(watchMs, (ms - last) / 2)
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
  // The reason for the pause says more than that it is about to end. Time that was up meanwhile begins anew.
  return { ...limit, isPaused, phase: 'far', since: isOn ? now : limit.since }
}

/** It printed, or somebody typed. */
export function stirRun(run: Run, now: number, isOutput: boolean): Step<Run> {
  const idle = isOutput && run.idle !== null ? { ...run.idle, stirredAt: now } : run.idle
  if (run.limit === null) return stay(idle === run.idle ? run : { ...run, idle })
  const { limit, news } = stirLimit(run.limit, now)
  return { state: { ...run, idle, limit }, effects: limitEffects(run, news) }
}

/** Somebody wants it to go on: there is no limit any more. */
export function keepRun(run: Run): Step<Run> {
  if (run.limit === null) return stay(run)
  const limit: Limit = { ...run.limit, phase: 'over' }
  const news = run.limit.phase === 'near' ? ({ type: 'far' } as const) : null
  return { state: { ...run, limit }, effects: limitEffects(run, news) }
}

export function limitEffects({ order: { id } }: Run, news: Limited['news']): readonly Effect[] {
  if (news === null) return []
  if (news.type === 'asks') return [{ type: 'measure', run: id }]
  if (news.type === 'reached') return [{ type: 'timeout', run: id }]
  if (news.type === 'far') return [{ type: 'status', run: id, status: 'running' }]
  return [{ type: 'status', run: id, status: 'ending', leftMs: news.leftMs }]
}

/**
 * Ctrl+C first; a program that does not listen is ended by ever stronger means, and the shell last: after a
 * kill the prompt comes back at once, or the shell itself is what hangs.
 */
export interface Ladder {
  readonly since: number
  /** The next step. */
  readonly next: 0 | 1 | 2 | 3
}

export const [termMs, killMs] = [2000, 5000]

export const ladderSteps: readonly { step: 'term' | 'kill' | 'restart'; afterMs: number }[] = [
  { step: 'term', afterMs: termMs },
  { step: 'kill', afterMs: killMs },
  { step: 'restart', afterMs: 7000 },
]

function ladderWakesAt({ since, next }: Ladder): number {
  return since + (ladderSteps[next]?.afterMs ?? never)
}

const never = Number.POSITIVE_INFINITY

/** The time at which the next thing has to be looked at. */
export function wakesAt({ shells }: TerminalState): number {
  return Math.min(...shells.map(shellWakesAt))
}

function shellWakesAt({ run, press, climb, execs }: Shell): number {
  const ofShell = Math.min(press?.lookAt ?? never, climb?.lookAt ?? never, execs?.lookAt ?? never)
  return run === null ? ofShell : Math.min(ofShell, runWakesAt(run))
}

function runWakesAt({ awaits, idle, limit, ladder, failed }: Run): number {
  return Math.min(
    (awaits?.idle ?? idle)?.lookAt ?? never,
    awaits?.hangsAt ?? never,
    limit === null ? never : limitWakesAt(limit),
    ladder === null ? never : ladderWakesAt(ladder),
    failed?.until ?? never,
  )
}
