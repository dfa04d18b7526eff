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
/** Types of files that a search knows, and that hold no passwords. */
const codeTypes = new Set(
  'ts typescript js py python rust go java c cpp csharp cs ruby php html css md markdown kotlin swift scala lua perl haskell elixir dart zig vue svelte protobuf sql graphql make cmake'.split(
    ' ',
  ),
)
/** All files with one ending, or with one of a few in braces; or a file by its whole name. */
const oneKind = /^(?:[^{}]*\/)?(?:[\w*-]*\.(?:[a-z]{1,5}|\{[a-z]{1,5}(?:,[a-z]{1,5})*\})|[\w.-]+)$/i
/** Endings that settings have as often as passwords. */
const mixed =
  /[.{,](?:json|jsonc|toml|ya?ml|ini|xml|db|csv|conf|cfg|cnf|txt|gpg|asc|log|sh|env|pem|key)(?=[,}]|$)/i
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
  if (picksCode(call)) return 'lines'
  if (seen.some((flag) => inverts.has(flag) || widening.has(flag))) return 'all'
  const isGiven = seen.some((flag) => flag === '-e' || flag === '--regexp')
  const patterns = isGiven ? texts : pattern === undefined ? [] : [pattern]
  return patterns.length > 0 &&
    patterns.every((each) => each.is === 'text' && isNarrowPattern(each.text))
    ? 'lines'
    : 'all'
}

/** Only files of a kind that holds no passwords are searched. `-g '!dist'` leaves something out, and leaves the rest in. */
function picksCode({ given }: CallParts): boolean {
  const picks = given.filter(
    ({ flag, value }) =>
      narrowing.has(flag) && !(value.is === 'text' && value.text.startsWith('!')),
  )
  return (
    picks.length > 0 &&
    picks.every(({ flag, value }) => {
      if (value.is !== 'text') return false
      const { text } = value
      if (/^(?:-t|--type)$/.test(flag)) return codeTypes.has(text)
      return oneKind.test(text) && (!mixed.test(text) || !/[*{]/.test(text))
    })
  )
}
