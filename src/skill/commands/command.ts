import { ok, refused, type Result } from '../../base/result.ts'
import type { Outcome } from '../outcome.ts'
import type { SkillPlace } from '../skill-folders.ts'

interface Arguments {
  words: readonly string[]
  flags: ReadonlySet<string>
}

/** Flags may stand anywhere before a `--`; one that is not known is an error. */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
): Result<Arguments, string> {
  const words: string[] = []
  const flags = new Set<string>()
  const end = args.indexOf('--')
  for (const [at, arg] of args.entries()) {
    if (at === end) continue
    const isFlag = (end === -1 || at < end) && arg.startsWith('-') && arg !== '-'
    if (!isFlag) words.push(arg)
    else if (known.includes(arg)) flags.add(arg)
    else return refused(`there is no option ${arg} here`)
  }
  return ok({ words, flags })
}

/** One word after `skill`. */
export interface Command {
  usage: string
  help: string
  flags: readonly string[]
  /** How many words it takes. */
  words: { least: number; most: number }
  run(args: Arguments, place: SkillPlace): Promise<Outcome>
}
