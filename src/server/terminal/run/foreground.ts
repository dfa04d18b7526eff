import { setTimeout as delay } from 'node:timers/promises'
import type { Need, Foreground as SeenForeground } from '../../../terminal/shell/needs.ts'
import type { Foreground } from '../probe/classify.ts'
import { watchForeground } from '../probe/watch-foreground.ts'

export interface RunForeground {
  /** Something was printed or typed. */
  stir: () => void
  /** Looks now. */
  need: () => Promise<Need>
  /** Resolves when the program needs somebody and has gone quiet, or after a while: then with null. */
  settled: (signal: AbortSignal) => Promise<Need>
  stop: () => void
}

export interface RunForegroundOptions {
  shellPid: number
  pts: string
  needOf: (foreground: SeenForeground) => Need
  /** The kind of program that `exec` made of the shell. */
  replaced: () => SeenForeground['replaced']
  onForeground: (foreground: SeenForeground) => void
}

/** A program prints its answer and its next question within this; what takes longer goes on. */
const settleMs = 10_000
/** Between two pieces of one answer. */
const quietMs = 150

/** Follows what the program of a run needs, as the kernel tells it. */
export function followForeground(options: RunForegroundOptions): RunForeground {
  const { shellPid, pts, needOf, onForeground } = options
  let stirred = performance.now()
  const watch = watchForeground({ shellPid, pts }, (state) => onForeground(seen(state)))

  function seen({ state, program = '' }: Foreground): SeenForeground {
    return { state, program, replaced: options.replaced() }
  }

  async function settled(signal: AbortSignal): Promise<Need> {
    const end = performance.now() + settleMs
    for (let waitMs = quietMs; performance.now() < end && !signal.aborted;) {
      await quiet(waitMs, signal)
      const asked = stirred
      const need = needOf(seen(await watch.ask()))
      if (need !== null && asked === stirred) return need
      waitMs = asked === stirred ? Math.min(waitMs * 2, 1_000) : quietMs
    }
    return null
  }

  return {
    stir() {
      stirred = performance.now()
      watch.stir()
    },
    need: async () => needOf(seen(await watch.ask())),
    settled,
    stop: () => watch.stop(),
  }
}

/** A program out of the kernel's sight: nobody can say what it needs, only whether it is quiet. */
export function blindForeground(): RunForeground {
  let stirred = performance.now()
  return {
    stir() {
      stirred = performance.now()
    },
    need: async () => null,
    async settled(signal) {
      const end = performance.now() + settleMs
      while (performance.now() < end && !signal.aborted) {
        await quiet(quietMs, signal)
        if (performance.now() - stirred > blindQuietMs) break
      }
      return null
    },
    stop() {},
  }
}

/** Over a network the pieces of one answer may be this far apart. */
const blindQuietMs = 1500

/** The time is up, or nobody waits any more. */
async function quiet(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
