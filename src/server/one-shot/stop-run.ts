import type { Captured } from '../../session/clip.ts'
import type { RunWatch } from '../terminal/terminal.ts'
import { reasonOf } from './one-shot-end.ts'
import { endProcesses, type RunProcesses } from './run-processes.ts'

/** What a terminal's run is watched for, but for waiting: there is nobody it could wait for. */
export type OneShotWatch = Pick<RunWatch, 'signal' | 'onOutput' | 'onTimeout' | 'onStatus'>

export interface Stopper {
  /** Resolves, with null, only when the command itself could not be ended. */
  failed: Promise<null>
  /** Takes no more orders; what was under way, if anything was. */
  leave(): Promise<readonly number[]> | null
  /** Why it was stopped, if somebody said. */
  reason(): string | null
}

/** Ends the run when its time is up or somebody says so, whichever is first. */
export function stopper(
  run: RunProcesses,
  { timeoutMs, watch, text }: { timeoutMs: number; watch: OneShotWatch; text: () => Captured },
): Stopper {
  let stopping: Promise<readonly number[]> | null = null
  let fail: (exit: null) => void = () => undefined
  const failed = new Promise<null>((resolve) => {
    fail = resolve
  })

  function stop(): void {
    if (stopping !== null) return
    watch.onStatus('stopping')
    stopping = endProcesses(run, () => watch.onStatus('killing'))
    void stopping.then((left) => {
      if (left.length > 0) fail(null)
    })
  }

  function timeUp(): void {
    watch.onTimeout(text())
    stop()
  }

  const timer = timeoutMs === 0 ? null : setTimeout(timeUp, timeoutMs)
  watch.signal.addEventListener('abort', stop, { once: true })
  if (watch.signal.aborted) stop()
  return {
    failed,
    leave() {
      if (timer !== null) clearTimeout(timer)
      watch.signal.removeEventListener('abort', stop)
      return stopping
    },
    reason: () => (stopping !== null && watch.signal.aborted ? reasonOf(watch.signal) : null),
  }
}
