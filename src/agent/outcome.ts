import { advance, beginProgress, isOver, type Progress } from '../client/session/turn-progress.ts'
import { noUsage } from '../log/state.ts'
import type { Event } from '../protocol/events/event.ts'
import type { Head } from '../protocol/events/seq.ts'
import type { Accepted } from '../protocol/http/session-view.ts'

/** Collects the outcome of one input; its events may arrive before the answer that names them. */
export function createOutcome() {
  const early: Event[] = []
  let progress: Progress | null = null
  let answer = ''

  function follow(so: Progress, event: Event): Progress {
    // The record of a command that ran is the answer.
    if (event.type === 'tool_response' && so.calls.has(event.request)) answer = event.content
    return advance(so, event)
  }

  return {
    take(event: Event): void {
      if (progress === null) early.push(event)
      else if (!isOver(progress)) progress = follow(progress, event)
    },
    /** The input was accepted; `seen` is the last event that had been heard before it was sent. */
    begin({ first, head }: Accepted, seen: Head): void {
      const start = beginProgress({ first: first ?? head + 1, head })
      progress = early.reduce(follow, { ...start, head: seen })
    },
    isOver: () => progress !== null && isOver(progress),
    /** An `AgentResult`, whose declaration the build wants where it is exported. */
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
