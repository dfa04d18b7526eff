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
/** Kinds of files that hold settings as often as passwords: a pattern of names, or a type that a search knows. */
const mixed =
  /^(?:.*\*.*[.{,])?(?:json[5c]?|toml|ya?ml|ini|xml|db|csv|conf|config|cfg|cnf|txt|properties|sqlite|gpg|asc|log)\}?$/i
const inverts = new Set(['-v', '--invert-match', '-f', '--file', '--passthru'])
/** With these more is shown than the line that was looked for: those beside it, or the whole file as one. */
const widening = new Set(
  '-z --null-data -U --multiline --multiline-dotall -A -B -C --after-context --before-context --context -NUM'.split(
    ' ',
  ),
)

/** The part that a search shows, by its options and by what it looks for. */
export function shownBy(call: CallParts, pattern: Argument | undefined): Shown {
  const { seen, texts } = call
  if (seen.some((flag) => namesOnly.has(flag))) return 'names'
  const isPicked = seen.some((flag) => narrowing.has(flag))
  if (isPicked && !texts.some((text) => excludes(text) || isMixed(text))) return 'lines'
  if (seen.some((flag) => inverts.has(flag) || widening.has(flag))) return 'all'
  const isGiven = seen.some((flag) => flag === '-e' || flag === '--regexp')
  const patterns = isGiven ? texts : pattern === undefined ? [] : [pattern]
  return patterns.length > 0 &&
    patterns.every((each) => each.is === 'text' && isNarrowPattern(each.text))
    ? 'lines'
    : 'all'
}

/** `-g '!dist'` leaves something out, and leaves the rest in. */
function excludes(text: Argument): boolean {
  return text.is !== 'text' || text.text.startsWith('!')
}

function isMixed(text: Argument): boolean {
  return text.is === 'text' && mixed.test(text.text)
}
