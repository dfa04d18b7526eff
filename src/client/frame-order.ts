import type { Frame } from '../protocol/frame.ts'
import type { Head } from '../protocol/seq.ts'

/**
 * `resume`: only asking again brings what is missing. `over`: there is nothing more to ask for. `failed`: there is,
 * but it cannot be read.
 */
export type Next = 'go on' | 'resume' | 'over' | 'failed'

export interface FrameOrder {
  /** The last event that was let through. */
  last(): Head
  /** What is new of these frames, and how to go on after them. */
  take(frames: readonly Frame[]): { fresh: readonly Frame[]; next: Next }
}

const nextAfter = { deleted: 'over', failed: 'failed', slow: 'resume', shutdown: 'resume' } as const

/** Lets every event through once and in order, whatever a line repeats or leaves out. */
export function createFrameOrder(after: Head): FrameOrder {
  let last = after
  return {
    last: () => last,
    take(frames) {
      const fresh: Frame[] = []
      for (const frame of frames) {
        if (frame.type === 'event') {
          if (frame.event.seq <= last) continue
          if (frame.event.seq > last + 1) return { fresh, next: 'resume' }
          last = frame.event.seq
        }
        fresh.push(frame)
        if (frame.type === 'closed') return { fresh, next: nextAfter[frame.reason] }
      }
      return { fresh, next: 'go on' }
    },
  }
}
