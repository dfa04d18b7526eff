export interface OutputFeed {
  push(text: string): void
  flush(): void
}

/** Larger parts stall a client, smaller ones cost more than their text. */
const maxChars = 64 * 1024
/** Below what an eye notices, long enough to join the 4 KB reads of a flood. */
const maxWaitMs = 4

/** Joins many small pieces of output into few. */
export function createOutputFeed(onOutput: (text: string) => void): OutputFeed {
  let held = ''
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const text = held
    held = ''
    if (text !== '') onOutput(text)
  }

  return {
    push(text) {
      held += text
      if (held.length >= maxChars) flush()
      else if (held !== '') timer ??= setTimeout(flush, maxWaitMs)
    },
    flush,
  }
}
