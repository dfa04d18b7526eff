import type { HeldMark } from '../protocol/holder.ts'

export interface KeptMarks {
  add: (mark: HeldMark) => void
  /** The server has all up to this one on disk, but for what shells outside of this level said. */
  acknowledge: (seq: number, level: number) => void
  all: () => readonly HeldMark[]
}

/** A run of many lines makes thousands of marks; its first and its last ones say all about it. */
const keptFirst = 1024
const keptAll = 4096

/** The marks a new server needs to know what an old one knew. */
export function createKeptMarks(): KeptMarks {
  let marks: HeldMark[] = []
  return {
    add(mark) {
      marks.push(mark)
      if (marks.length > keptAll) marks.splice(keptFirst, 1)
    },
    acknowledge(seq, level) {
      // How well a shell speaks was said once, at its start.
      const stays = (mark: HeldMark) =>
        mark.level < level || (mark.level === level && mark.kind === 'H')
      marks = marks.filter((mark) => mark.seq > seq || stays(mark))
    },
    all: () => marks,
  }
}
