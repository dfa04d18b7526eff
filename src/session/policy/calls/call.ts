import type { Effect } from '../effect.ts'
import type { Judging } from '../judging.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'

/** A program that is called, unwrapped. */
export interface Call {
  judging: Judging
  name: string
  args: readonly Argument[]
  /** The arguments as texts; null for one that is not known. */
  words: readonly (string | null)[]
  place: Place
  /** Judges the command that it runs. */
  inner(call: readonly Argument[], place: Place): readonly Effect[]
  /** Judges a script that it runs. */
  script(source: string, place: Place): readonly Effect[]
}

export type JudgeCall = (call: Call) => readonly Effect[]
