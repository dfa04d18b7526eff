import type { At } from '../../../protocol/events/seq.ts'
import type { RunEntry } from '../../../view/fold/entry.ts'
import { eachEntry } from '../../../view/fold/entry-list.ts'
import type { View } from '../../../view/fold/view.ts'

/** When commands began in the terminal, which may be long after they were asked for. */
export function runMarks({ entries }: View): readonly At[] {
  const marks: At[] = []
  for (const entry of eachEntry(entries)) {
    const at = entry.kind === 'run' && entry.lane === 'terminal' ? startOf(entry) : null
    if (at !== null) marks.push(at)
  }
  return marks.sort((one, other) => one - other)
}

/** Null of one that has not run. */
function startOf({ state }: RunEntry): At | null {
  if (state.phase === 'running') return state.startedAt
  return state.phase === 'settled' && state.result !== null ? state.result.startedAt : null
}

/** The next mark in a direction; null at the end. */
export function markBeside(marks: readonly At[], at: At, way: 'before' | 'after'): At | null {
  // Going back from a mark means the one before it, also a moment after it was reached.
  const slackMs = 500
  return (
    (way === 'after'
      ? marks.find((mark) => mark > at)
      : marks.findLast((mark) => mark < at - slackMs)) ?? null
  )
}
