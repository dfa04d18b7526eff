export interface RunLimit {
  /** There was output. */
  stir: () => void
  /** While somebody is waited for, time does not count. */
  pause: (isPaused: boolean) => void
  leave: () => void
}

export interface RunLimitOptions {
  /** 0 = none. */
  ms: number
  counts: 'duration' | 'silence'
  /** How much of it is used up, when a run is picked up again. */
  usedMs: number
  onReached: () => void
}

/** Tells once when a run has lasted, or been silent, for too long. */
export function createRunLimit({ ms, counts, usedMs, onReached }: RunLimitOptions): RunLimit {
  if (ms === 0) return { stir() {}, pause() {}, leave() {} }
  let paused = false
  let since = performance.now()
  let timer = setTimeout(look, Math.max(0, counts === 'duration' ? ms - usedMs : ms))

  /** Output only notes the time: moving a timer at each piece of a flood would cost more. */
  function look(): void {
    const left = counts === 'silence' ? since + ms - performance.now() : 0
    if (paused) timer = setTimeout(look, ms)
    else if (left > 1) timer = setTimeout(look, left)
    else onReached()
  }

  return {
    stir() {
      since = performance.now()
    },
    pause(isPaused) {
      if (paused && !isPaused) since = performance.now()
      paused = isPaused
    },
    leave: () => clearTimeout(timer),
  }
}
