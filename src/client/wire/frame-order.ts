import type { Frame } from '../../protocol/stream/frame.ts'
import type { Head } from '../../protocol/events/seq.ts'

/**
 * `resume`: only asking again brings what is missing. `over`: there is nothing more to ask for. `failed`: there is,
 * but it cannot be read.
 */
export type Next = 'go on' | 'resume' | 'over' | 'failed'

const nextAfter = { deleted: 'over', failed: 'failed', slow: 'resume', shutdown: 'resume' } as const

/** Lets every event through once and in order, whatever a line repeats or leaves out. */
export function createFrameOrder(after: Head) {
  let last = after
  return {
    /** The last event that was let through. */
    last: () => last,
    /** The new ones of these frames, and how to go on after them. */
    take(frames: readonly Frame[]): { fresh: readonly Frame[]; next: Next } {
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
