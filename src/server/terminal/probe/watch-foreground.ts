import type { Foreground } from './classify.ts'
import { createProbe, type Probe } from './probe.ts'

/** The pace at which the foreground is read: slower the longer nothing happens. */
export interface Pace {
  /** The time at which something was last printed or typed. */
  stirredAt: number
  readAt: number
  waitMs: number
  /** The state that was reported last. */
  reported: Foreground | null
}

/** A program that prints is not asking yet; and a new run is first read after this long. */
const quietMs = 150
/** A terminal that is quiet for long is read this often; one that is never quiet, too. */
const maxMs = 1000

export function startPace(now: number): Pace {
  return { stirredAt: now, readAt: now, waitMs: quietMs, reported: null }
}

/** The time until the next reading is due; 0 or less: it is. */
export function dueMs({ stirredAt, readAt }: Pace, now: number): number {
  return Math.min(stirredAt + quietMs, readAt + maxMs) - now
}

export function stir(pace: Pace, now: number): Pace {
  return { ...pace, stirredAt: now, waitMs: quietMs }
}

/** A reading that began when `stirredAt` was that old has ended. */
export function read(
  pace: Pace,
  { found, stirredAt, now }: { found: Foreground; stirredAt: number; now: number },
): { pace: Pace; isNews: boolean } {
  const isNews = pace.reported === null || !isSame(pace.reported, found)
  // News may be followed by more: a program that asks one thing soon asks the next.
  const isSoon = isNews || stirredAt !== pace.stirredAt
  const waitMs = isSoon ? quietMs : Math.min(pace.waitMs * 2, maxMs)
  return {
    pace: { ...pace, readAt: now, waitMs, reported: isNews ? found : pace.reported },
    isNews,
  }
}

/** Another program that runs is no news; another one that asks is. */
function isSame(a: Foreground, b: Foreground): boolean {
  if (a.state !== b.state || a.certain !== b.certain) return false
  return a.state === 'running' || (a.pid === b.pid && a.program === b.program)
}

export interface Timers {
  now: () => number
  /** Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void
}

export interface WatchOptions {
  shellPid: number
  /** The shell's terminal, as its holder names it. */
  pts: string
  timers?: Timers
  probe?: Probe
}

export type ForegroundWatch = ReturnType<typeof watchForeground>

const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Follows what the foreground of a terminal does while a run is on; tells every change. */
export function watchForeground(options: WatchOptions, onState: (state: Foreground) => void) {
  const { timers = systemTimers, probe = createProbe(options) } = options
  /** Null once it is stopped. */
  let pace: Pace | null = startPace(timers.now())
  let reading: Promise<Foreground> | null = null
  let cancel = timers.after(quietMs, onTimer)

  function onTimer(): void {
    if (pace === null) return
    const leftMs = dueMs(pace, timers.now())
    if (leftMs > 0) cancel = timers.after(leftMs, onTimer)
    else void readNow()
  }

  /** One reading at a time: a question meanwhile gets the same answer. */
  function readNow(): Promise<Foreground> {
    reading ??= readOnce().finally(() => {
      reading = null
    })
    return reading
  }

  async function readOnce(): Promise<Foreground> {
    cancel()
    const begun = pace?.stirredAt ?? 0
    const found = await probe.read()
    if (pace === null) return found
    const next = read(pace, { found, stirredAt: begun, now: timers.now() })
    pace = next.pace
    cancel = timers.after(next.pace.waitMs, onTimer)
    if (next.isNews) onState(found)
    return found
  }

  return {
    /** Something was printed or typed: what was seen last may be over. */
    stir(): void {
      if (pace === null) return
      const wasLong = pace.waitMs > quietMs
      pace = stir(pace, timers.now())
      probe.forget()
      // A long pause before the next reading is over; a short one ends by itself.
      if (!wasLong || reading !== null) return
      cancel()
      cancel = timers.after(quietMs, onTimer)
    },
    /** Reads at once; reports a change too. */
    async ask(): Promise<Foreground> {
      // A reading under way began before the question, so its answer may be too old.
      if (reading !== null) await reading
      return readNow()
    },
    /** Releases every timer; nothing is reported after it. */
    stop(): void {
      pace = null
      cancel()
    },
  }
}
