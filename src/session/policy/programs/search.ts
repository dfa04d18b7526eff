import type { Argument } from '../syntax/argument.ts'
import { isNarrowPattern } from './narrow.ts'
import type { CallParts } from './read-call.ts'

export { isNarrowPattern }

/** The part that a program shows of the files in a folder: all that is in them, the lines it looks for, or names and numbers. */
export type Shown = 'all' | 'lines' | 'names'

const namesOnly = new Set(
  '-l -L -c -q --files-with-matches --files-without-match --count --count-matches --quiet --silent --files --type-list --name-only'.split(
    ' ',
  ),
)
/** With one of these only files of some kinds are searched; none of those that are secrets, which `names` sees to. */
const narrowing = new Set('--include -g --glob --iglob -t --type'.split(' '))
const inverts = new Set(['-v', '--invert-match', '-f', '--file', '--passthru'])

/** The part that a search shows, by its options and by what it looks for. */
export function shownBy(call: CallParts, pattern: Argument | undefined): Shown {
  const { seen, texts } = call
  if (seen.some((flag) => namesOnly.has(flag))) return 'names'
  if (seen.some((flag) => narrowing.has(flag)) && !texts.some(excludes)) return 'lines'
  if (seen.some((flag) => inverts.has(flag))) return 'all'
  const isGiven = seen.some((flag) => flag === '-e' || flag === '--regexp')
  const patterns = isGiven ? texts : pattern === undefined ? [] : [pattern]
  const isNarrow =
    patterns.length > 0 &&
    patterns.every((each) => each.is === 'text' && isNarrowPattern(each.text))
  return isNarrow && !texts.some(isManyLines) ? 'lines' : 'all'
}

/** `-g '!dist'` leaves something out, and leaves the rest in. */
function excludes(text: Argument): boolean {
  return text.is !== 'text' || text.text.startsWith('!')
}

/** So many lines around each that it finds are nearly all. */
function isManyLines(text: Argument): boolean {
  return text.is === 'text' && /^\d{2,}$/.test(text.text)
}
