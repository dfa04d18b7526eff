import { writeSync } from 'node:fs'

export interface WriteQueue {
  push: (bytes: Buffer) => void
  /** True while the terminal does not take what was written: its reader does not read. */
  stuck: () => boolean
  clear: () => void
}

/** A paste of this size fits; a program that never reads must not fill our memory. */
const maxQueuedBytes = 4 * 1024 * 1024
const firstDelayMs = 1
const maxDelayMs = 50

/**
 * Writes to the PTY master itself: the library's own write blocks the loop or burns a core when the
 * program in the terminal does not read. The descriptor is non-blocking, so a full one answers at once.
 */
export function createWriteQueue(fd: number): WriteQueue {
  let queue: Buffer[] = []
  let queuedBytes = 0
  let delayMs = firstDelayMs
  let timer: NodeJS.Timeout | null = null

  function clear(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    queue = []
    queuedBytes = 0
    delayMs = firstDelayMs
  }

  function drain(): void {
    timer = null
    let first = queue[0]
    while (first !== undefined) {
      const count = tryWrite(fd, first)
      if (count === 'gone') return clear()
      if (count === 0) {
        timer = setTimeout(drain, delayMs)
        delayMs = Math.min(delayMs * 2, maxDelayMs)
        return
      }
      delayMs = firstDelayMs
      queuedBytes -= count
      if (count === first.length) queue.shift()
      else queue[0] = first.subarray(count)
      first = queue[0]
    }
  }

  return {
    push(bytes) {
      if (bytes.length === 0 || queuedBytes + bytes.length > maxQueuedBytes) return
      queue.push(bytes)
      queuedBytes += bytes.length
      if (timer === null) drain()
    },
    stuck: () => timer !== null,
    clear,
  }
}

function tryWrite(fd: number, bytes: Buffer): number | 'gone' {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    return busy ? 0 : 'gone'
  }
}
