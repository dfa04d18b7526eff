import type { StreamRef } from '../../protocol/events/run.ts'
import { whole, type Captured } from '../../base/text.ts'
import type { TerminalRunEnd, RunWatch } from '../terminal/terminal.ts'
import { endProcesses, type RunProcesses } from './run-processes.ts'

export interface OneShotEnd extends TerminalRunEnd {
  stdout: StreamRef
  stderr: StreamRef
  /** Processes of it that nothing could end. */
  notEnded: readonly number[]
}

/** Fields that only a terminal's run has. */
export const noEnd = { cwdAfter: null, ptyFrom: null, ptyTo: null }

/** No byte of it was executed; the reason stands where its output would. */
export function notStarted(why: string): OneShotEnd {
  const none: StreamRef = { bytes: 0, omitted: 0 }
  return {
    ...noEnd,
    outcome: 'not_started',
    exitCode: null,
    signal: null,
    durationMs: 0,
    bytes: 0,
    omitted: 0,
    output: whole(why),
    stdout: none,
    stderr: none,
    notEnded: [],
  }
}

export function cancelled(signal: AbortSignal): string {
  const reason = reasonOf(signal)
  return `The command was not run: ${reason ?? 'it was cancelled while it waited'}.`
}

/** Why, if whoever aborted it said so in words. */
function reasonOf({ reason }: AbortSignal): string | null {
  return typeof reason === 'string' ? reason : null
}

/** A terminal run's watch without waiting: there is nobody it could wait for. */
export type OneShotWatch = Pick<RunWatch, 'signal' | 'onOutput' | 'onTimeout' | 'onStatus'>

/** Ends the run when its time is up or somebody says so, whichever is first. */
export function stopper(
  run: RunProcesses,
  { timeoutMs, watch, text }: { timeoutMs: number; watch: OneShotWatch; text: () => Captured },
) {
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
    /** Resolves, with null, only when the command itself could not be ended. */
    failed,
    /** Takes no more orders; what was under way, if anything was. */
    leave(): Promise<readonly number[]> | null {
      if (timer !== null) clearTimeout(timer)
      watch.signal.removeEventListener('abort', stop)
      return stopping
    },
    /** Why it was stopped, if somebody said. */
    reason: () => (stopping !== null && watch.signal.aborted ? reasonOf(watch.signal) : null),
  }
}
