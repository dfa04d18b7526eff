import type { Foreground } from './classify.ts'
import { createProbe, type Probe } from './probe.ts'

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

export interface ForegroundWatch {
  /** Something was printed or typed: what was seen last may be over. */
  stir: () => void
  /** Looks at once; reports a change too. */
  ask: () => Promise<Foreground>
  /** Releases every timer; nothing is reported after it. */
  stop: () => void
}

/** A program that prints is not asking yet; and the first look at a new run is one too. */
const quietMs = 150
/** What is quiet for long is looked at this often; and what is never quiet, too. */
const maxMs = 1000

const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Follows what the foreground of a terminal does while a run is on; tells every change. */
export function watchForeground(
  options: WatchOptions,
  onState: (state: Foreground) => void,
): ForegroundWatch {
  const { timers = systemTimers, probe = createProbe(options) } = options
  let stirred = timers.now()
  let looked = stirred
  let waitMs = quietMs
  let last: Foreground | null = null
  let stopped = false
  let looking: Promise<Foreground> | null = null
  let cancel = timers.after(quietMs, onTimer)

  function onTimer(): void {
    const now = timers.now()
    const dueMs = Math.min(stirred + quietMs, looked + maxMs) - now
    if (dueMs > 0) cancel = timers.after(dueMs, onTimer)
    else void look()
  }

  /** One at a time: whoever asks meanwhile gets the same answer. */
  function look(): Promise<Foreground> {
    looking ??= lookOnce().finally(() => {
      looking = null
    })
    return looking
  }

  async function lookOnce(): Promise<Foreground> {
    cancel()
    const asked = stirred
    const found = await probe.look()
    looked = timers.now()
    if (stopped) return found
    // News may be followed by more: a program that asks one thing soon asks the next.
    const isNews = report(found)
    waitMs = isNews || asked !== stirred ? quietMs : Math.min(waitMs * 2, maxMs)
    cancel = timers.after(waitMs, onTimer)
    return found
  }

  function report(found: Foreground): boolean {
    if (last !== null && isSame(last, found)) return false
    last = found
    onState(found)
    return true
  }

  return {
    stir() {
      if (stopped) return
      stirred = timers.now()
      probe.forget()
      // A long pause before the next look is over; a short one ends by itself.
      if (waitMs > quietMs && looking === null) {
        cancel()
        cancel = timers.after(quietMs, onTimer)
      }
      waitMs = quietMs
    },
    async ask() {
      // One under way began before the question, so its answer may be too old.
      if (looking !== null) await looking
      return look()
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

/** Which of its programs runs is no news; which one asks is. */
function isSame(a: Foreground, b: Foreground): boolean {
  if (a.state !== b.state || a.certain !== b.certain) return false
  return a.state === 'running' || (a.pid === b.pid && a.program === b.program)
}
