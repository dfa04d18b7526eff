import type { Foreground } from './probe/classify.ts'
import { watchForeground } from './probe/watch.ts'

/** What a run's program needs besides time; null while it just runs. */
export type Need = 'waiting' | 'secret' | 'screen' | null

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
  onNeed: (need: Need) => void
  /** What the shell itself wants, of this name, when it reads keys as at its prompt. */
  ownNeed: (shell: string) => Need
}

/** A program prints its answer and its next question within this; what takes longer goes on. */
const settleMs = 10_000
/** Between two pieces of one answer. */
const quietMs = 150

/** Follows what the program of a run needs, as the kernel tells it. */
export function followForeground(options: RunForegroundOptions): RunForeground {
  const { shellPid, pts, onNeed, ownNeed } = options
  let told: Need = null
  let stirred = performance.now()
  const watch = watchForeground({ shellPid, pts }, (state) => tell(needOf(state)))

  function needOf({ state, program = '' }: Foreground): Need {
    if (state === 'waiting' || state === 'secret') return state
    if (state === 'prompt') return ownNeed(program)
    return state === 'raw' ? 'screen' : null
  }

  function tell(need: Need): void {
    if (need === told) return
    told = need
    onNeed(need)
  }

  async function settled(signal: AbortSignal): Promise<Need> {
    const end = performance.now() + settleMs
    for (let waitMs = quietMs; performance.now() < end && !signal.aborted;) {
      await quiet(waitMs, signal)
      const asked = stirred
      const need = needOf(await watch.ask())
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
    need: async () => needOf(await watch.ask()),
    settled,
    stop: () => watch.stop(),
  }
}

/** What runs out of the kernel's sight: nobody can say what it needs, only whether it is quiet. */
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

function quiet(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
