import type { At } from '../../../protocol/seq.ts'
import { eachEntry } from '../../../view/entry-list.ts'
import type { View } from '../../../view/view.ts'

/** A place on the seek bar worth jumping to. */
export interface Mark {
  at: At
  label: string
}

/** Where commands began in the terminal. */
export function runMarks({ entries }: View): readonly Mark[] {
  const marks: Mark[] = []
  for (const entry of eachEntry(entries))
    if (entry.kind === 'run' && entry.lane === 'terminal')
      marks.push({ at: entry.at, label: entry.command })
  return marks
}

/** The next mark in a direction; null at the end. */
export function markBeside(marks: readonly Mark[], at: At, way: 'before' | 'after'): Mark | null {
  // Going back from a mark means the one before it, also a moment after it was reached.
  const slackMs = 500
  return (
    (way === 'after'
      ? marks.find((mark) => mark.at > at)
      : marks.findLast((mark) => mark.at < at - slackMs)) ?? null
  )
}
