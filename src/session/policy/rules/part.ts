import type { Argument } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'
import { pipeFile } from '../syntax/word.ts'

/** One simple command without its wrappers, every word of which is known: the only thing that a rule can be about. */
export interface Part {
  program: string
  args: readonly string[]
  /** The only folder that the shell can be in by then. */
  cwd: string
}

/**
 * The part that a call is; null when something about it is not known beforehand. Input from elsewhere may be
 * commands, and in a loop several calls are judged as one.
 */
export function partOf(program: string, args: readonly Argument[], place: Place): Part | null {
  const { cwds, isPiped, isTurned, loops } = place
  const [cwd] = cwds ?? []
  if (cwd === undefined || cwds?.length !== 1) return null
  if (isPiped || isTurned === true || loops.size > 0) return null
  const words = args.flatMap((arg) => (arg.is === 'text' ? [arg.text] : []))
  const isKnown = words.length === args.length && !words.includes(pipeFile)
  return isKnown ? { program, args: words, cwd } : null
}

export function isSamePart(one: Part, other: Part): boolean {
  return one.program === other.program && one.cwd === other.cwd && isSameList(one.args, other.args)
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}
