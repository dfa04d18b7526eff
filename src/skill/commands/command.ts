import type { Arguments } from '../arguments.ts'
import type { Outcome } from '../outcome.ts'
import type { SkillPlace } from '../skill-folders.ts'

/** One word after `skill`. */
export interface Command {
  usage: string
  help: string
  flags: readonly string[]
  /** How many words it takes. */
  words: { least: number; most: number }
  run(args: Arguments, place: SkillPlace): Promise<Outcome>
}
