export interface IdleEnd {
  /** Nobody is there from now on. */
  wait: () => void
  leave: () => void
}

export interface IdleEndOptions {
  ms: number
  /** Somebody left a run or a job here. */
  isUsed: () => boolean
  onDone: () => void
}

/** Ends a holder that nobody came back to, unless something goes on in it. */
export function createIdleEnd({ ms, isUsed, onDone }: IdleEndOptions): IdleEnd {
  let timer: NodeJS.Timeout | null = null

  function wait(): void {
    timer = setTimeout(() => (isUsed() ? wait() : onDone()), ms)
  }

  return {
    wait,
    leave() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
