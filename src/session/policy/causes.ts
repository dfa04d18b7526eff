import type { AskCause } from '../../protocol/events/ask.ts'
import type { Effect } from './effect.ts'

/** A card has room for so many places; the reason tells how many there are. */
const maxTargets = 8
/** A part that is longer is told by its beginning: the whole command stands above it. */
const maxChars = 200

/** The parts that reasons are of, where the command has others, and the real places that they are about, where those are known. */
export function causesOf(command: string, effects: readonly Effect[]): readonly AskCause[] {
  const reasons = new Set(effects.map(({ reason }) => reason))
  return [...reasons].flatMap((reason): readonly AskCause[] => {
    const same = effects.filter((each) => each.reason === reason)
    const part = partOf(command, same[0]?.source)
    const targets = [...new Set(same.flatMap((each) => each.targets ?? []))].slice(0, maxTargets)
    const cause = {
      reason,
      ...(part !== null && { part }),
      ...(targets.length > 0 && { targets }),
    }
    return part === null && targets.length === 0 ? [] : [cause]
  })
}

function partOf(command: string, source = ''): string | null {
  const part = source.trim()
  if (part === '' || part === command.trim()) return null
  return part.length > maxChars ? `${part.slice(0, maxChars)}…` : part
}
