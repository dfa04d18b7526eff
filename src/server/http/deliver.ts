import type { Frame } from '../../protocol/frame.ts'
import type { Head } from '../../protocol/seq.ts'
import type { SessionHost } from '../host.ts'
import { whyClosed } from '../publish.ts'
import type { HttpBounds } from './bounds.ts'
import type { Outlet } from './outlet.ts'

interface Delivery {
  outlet: Outlet
  after: Head
  bounds: HttpBounds
  /** How this carrier writes a frame. */
  text: (frame: Frame) => string
  /** The host will send no more: the session is gone, or the client was too slow. */
  ended(reason: 'slow' | 'closed'): void
  failed(error: unknown): void
}

/**
 * Follows a session: the log by pages at the client's own pace, then live within a bound. The host
 * is never made to wait: a client that does not keep up is told so and dropped.
 */
export function deliver(host: SessionHost, delivery: Delivery): () => void {
  const { outlet, bounds, text } = delivery
  let stopped = false
  let unsubscribe = () => {}

  function stop(): void {
    stopped = true
    unsubscribe()
  }

  function end(reason: 'slow' | 'closed'): void {
    stop()
    delivery.ended(reason)
  }

  /** One frame may be larger than the bound, so the bound is on what was waiting before it. */
  function take(frame: Frame): boolean {
    if (stopped || !outlet.isOpen()) return false
    if (outlet.unsent() > bounds.clientQueueBytes) {
      outlet.push(text({ type: 'closed', reason: 'slow' }))
      end('slow')
      return false
    }
    outlet.push(text(frame))
    if (frame.type === 'closed') end('closed')
    return frame.type !== 'closed'
  }

  async function replay(): Promise<Head> {
    let at = delivery.after
    for (;;) {
      const page = await host.readLog({ after: at, limit: bounds.replayEvents })
      for (const event of page) {
        if (stopped) return at
        await paced(text({ type: 'event', event }))
        at = event.seq
      }
      if (page.length < bounds.replayEvents) return at
    }
  }

  async function paced(line: string): Promise<void> {
    if (outlet.unsent() <= bounds.replayBytes) outlet.push(line)
    else if (!(await flushed(outlet, { line, stallMs: bounds.stallMs })) && !stopped) end('slow')
  }

  async function follow(): Promise<void> {
    const at = await replay()
    if (stopped) return
    const leave = host.subscribe(at, take)
    // The host may already have been refused a frame while it was replaying.
    if (stopped) leave()
    else unsubscribe = leave
  }

  follow().catch((error: unknown) => {
    if (stopped) return
    delivery.failed(error)
    outlet.push(text({ type: 'closed', reason: whyClosed(error) }))
    end('closed')
  })
  return stop
}

/** True when the client has taken it, false when it is gone or takes nothing. */
function flushed(
  outlet: Outlet,
  { line, stallMs }: { line: string; stallMs: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (taken: boolean) => {
      clearTimeout(stall)
      forget()
      resolve(taken)
    }
    const stall = setTimeout(settle, stallMs, false)
    const forget = outlet.onClose(() => settle(false))
    outlet.push(line, () => settle(outlet.isOpen()))
  })
}
