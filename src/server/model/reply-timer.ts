import { limits } from '../../protocol/limits.ts'
import { ModelError } from './model.ts'

export interface ReplyTimes {
  /** Without a sign of life. */
  idleMs: number
  /** In all. */
  totalMs: number
}

/** Ends a reply that says nothing any more, or never ends. */
export interface ReplyTimer {
  /** Aborted by the caller’s own signal as well. */
  readonly signal: AbortSignal
  heard(): void
  /** Why it was ended by the time; null if it was not. */
  why(): ModelError | null
  stop(): void
}

const defaults: ReplyTimes = { idleMs: limits.replyIdleMs, totalMs: limits.replyTotalMs }

export function createReplyTimer(outer: AbortSignal, times: ReplyTimes = defaults): ReplyTimer {
  const controller = new AbortController()
  let why: ModelError | null = null

  function end(message: string): void {
    why = new ModelError(message, { code: 'model_silent', transient: true })
    controller.abort(why)
  }

  const seconds = (ms: number) => Math.round(ms / 1_000)
  const startIdle = () =>
    setTimeout(() => {
      end(`The model has said nothing for ${seconds(times.idleMs)} s.`)
    }, times.idleMs)
  let idle = startIdle()
  const total = setTimeout(() => {
    end(`The model’s reply took more than ${seconds(times.totalMs)} s.`)
  }, times.totalMs)

  return {
    signal: AbortSignal.any([outer, controller.signal]),
    heard() {
      clearTimeout(idle)
      idle = startIdle()
    },
    why: () => why,
    stop() {
      clearTimeout(idle)
      clearTimeout(total)
    },
  }
}
