import type { StreamRef } from '../../protocol/run.ts'
import { whole } from '../../session/clip.ts'
import type { TerminalRunEnd } from '../terminal/terminal.ts'

export interface OneShotEnd extends TerminalRunEnd {
  stdout: StreamRef
  stderr: StreamRef
  /** Processes of it that nothing could end. */
  notEnded: readonly number[]
}

/** What only a terminal's run has. */
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
export function reasonOf({ reason }: AbortSignal): string | null {
  return typeof reason === 'string' ? reason : null
}
