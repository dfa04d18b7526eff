import { advance, beginProgress, isOver, type Progress } from '../client/turn-progress.ts'
import { noUsage } from '../log/state.ts'
import type { Event } from '../protocol/event.ts'
import type { Head } from '../protocol/seq.ts'
import type { Accepted } from '../protocol/session-view.ts'

/** What comes of one input: its events may be heard before the answer that says which they are. */
export interface Outcome {
  take(event: Event): void
  /** The input was accepted; `seen` is the last event that had been heard before it was sent. */
  begin(accepted: Accepted, seen: Head): void
  isOver(): boolean
  /** An `AgentResult`, whose declaration the build wants where it is exported. */
  result(): ReturnType<typeof resultOf>
}

export function createOutcome(): Outcome {
  const early: Event[] = []
  let progress: Progress | null = null
  let answer = ''

  function follow(so: Progress, event: Event): Progress {
    // Of a command that ran, the record is the answer.
    if (event.type === 'tool_response' && so.calls.has(event.request)) answer = event.content
    return advance(so, event)
  }

  return {
    take(event) {
      if (progress === null) early.push(event)
      else if (!isOver(progress)) progress = follow(progress, event)
    },
    begin({ first, head }, seen) {
      const start = beginProgress({ first: first ?? head + 1, head })
      progress = early.reduce(follow, { ...start, head: seen })
    },
    isOver: () => progress !== null && isOver(progress),
    result: () => resultOf(progress ?? beginProgress({ first: 1, head: 0 }), answer),
  }
}

function resultOf({ text, end, runs, fault }: Progress, answer: string) {
  return {
    text: text === '' && end === null ? answer : text,
    reason: end?.reason ?? 'done',
    steps: end?.steps ?? 0,
    usage: end?.usage ?? noUsage,
    runs: runs.map(({ command, exitCode }) => ({ command, exitCode })),
    error: fault && { code: fault.code, message: fault.message },
  }
}
