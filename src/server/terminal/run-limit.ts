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
  /** It has computed since this was last asked: then it is not silent. Asked only when its time is nearly up. */
  hasWorked: () => boolean
  /** The silence will have lasted too long after this much more of it. */
  onNear: (leftMs: number) => void
  /** It was broken, or does not matter any more. */
  onFar: () => void
  onReached: () => void
}

/** Long enough to see it and to call it off. */
const noticeMs = 10_000
/** Before that it is looked at for so long: what works need not be announced. */
const watchMs = 1_000

/** Tells once when a run has lasted, or been silent, for too long. */
export function createRunLimit(options: RunLimitOptions): RunLimit {
  const { ms, counts, usedMs, hasWorked, onNear, onFar, onReached } = options
  if (ms === 0) return { stir() {}, pause() {}, keep() {}, leave() {} }
  const isSilence = counts === 'silence'
  const lastMs = isSilence ? Math.min(noticeMs, ms / 2) : 0
  const firstMs = lastMs + Math.min(watchMs, (ms - lastMs) / 2)
  let paused = false
  let phase: 'far' | 'near' | 'over' = 'far'
  let since = performance.now()
  let timer = setTimeout(look, Math.max(0, isSilence ? ms - firstMs : ms - usedMs))

  /** Output only notes the time: moving a timer at each piece of a flood would cost more. */
  function look(): void {
    const left = isSilence ? since + ms - performance.now() : 0
    if (paused) return again(ms)
    if (left > firstMs + 1) return again(left - firstMs)
    const isAtWork = isSilence && hasWorked()
    if (left > lastMs + 1) return again(left - lastMs)
    if (isAtWork) return stir()
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

  function stir(): void {
    since = performance.now()
    calm('far')
    again(ms - firstMs)
  }

  return {
    stir() {
      if (phase === 'near') stir()
      else since = performance.now()
    },
    pause(isPaused) {
      const isOn = paused && !isPaused
      paused = isPaused
      if (phase === 'over') return
      // What it is paused for says more than that it is not about to end.
      phase = 'far'
      if (!isOn || !isSilence) return
      since = performance.now()
      again(ms - firstMs)
    },
    keep() {
      clearTimeout(timer)
      calm('over')
    },
    leave: () => clearTimeout(timer),
  }
}
