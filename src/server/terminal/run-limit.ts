export interface RunLimit {
  /** There was output, or somebody typed. */
  stir: () => void
  /** While somebody is waited for, time does not count. */
  pause: (isPaused: boolean) => void
  /** Somebody wants it to go on: there is no limit any more. */
  keep: () => void
  leave: () => void
}

export interface RunLimitOptions {
  /** 0 = none. */
  ms: number
  counts: 'duration' | 'silence'
  /** How much of it is used up, when a run is picked up again. */
  usedMs: number
  /** The silence will have lasted too long after this much more of it. */
  onNear: (leftMs: number) => void
  /** It was broken, or does not matter any more. */
  onFar: () => void
  onReached: () => void
}

/** Long enough to see it and to call it off. */
const noticeMs = 10_000

/** Tells once when a run has lasted, or been silent, for too long. */
export function createRunLimit(options: RunLimitOptions): RunLimit {
  const { ms, counts, usedMs, onNear, onFar, onReached } = options
  if (ms === 0) return { stir() {}, pause() {}, keep() {}, leave() {} }
  const isSilence = counts === 'silence'
  const lastMs = isSilence ? Math.min(noticeMs, ms / 2) : 0
  let paused = false
  let phase: 'far' | 'near' | 'over' = 'far'
  let since = performance.now()
  let timer = setTimeout(look, Math.max(0, isSilence ? ms - lastMs : ms - usedMs))

  /** Output only notes the time: moving a timer at each piece of a flood would cost more. */
  function look(): void {
    const left = isSilence ? since + ms - performance.now() : 0
    if (paused) return again(ms)
    if (left > lastMs + 1) return again(left - lastMs)
    if (left > 1) {
      again(left)
      if (phase === 'far') onNear(Math.min(left, lastMs))
      phase = 'near'
      return
    }
    phase = 'over'
    onReached()
  }

  function again(inMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(look, inMs)
  }

  function calm(next: 'far' | 'over'): void {
    if (phase === 'near') onFar()
    phase = next
  }

  return {
    stir() {
      since = performance.now()
      if (phase !== 'near') return
      calm('far')
      again(ms - lastMs)
    },
    pause(isPaused) {
      const isOn = paused && !isPaused
      paused = isPaused
      if (phase === 'over') return
      // What it is paused for says more than that it is not about to end.
      phase = 'far'
      if (!isOn || !isSilence) return
      since = performance.now()
      again(ms - lastMs)
    },
    keep() {
      clearTimeout(timer)
      calm('over')
    },
    leave: () => clearTimeout(timer),
  }
}
