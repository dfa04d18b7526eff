import { effect, type Effect } from '../effect.ts'
import { deeper, type Place } from '../syntax/place.ts'
import type { Call, JudgeCall } from './call.ts'
import { isMany } from '../syntax/argument.ts'
import { acts, escapes } from '../programs/codes.ts'
import { shows } from '../programs/spec.ts'

/** Commands that the shell has itself, or might have, and that only read. */
export const builtins: Readonly<Record<string, JudgeCall>> = {
  echo({ args, words, place }) {
    const isEscaped =
      place.shell === 'zsh' ||
      place.isPosix === true ||
      words.some((word) => word !== null && /^-[nE]*e[neE]*$/.test(word))
    const isCode = isEscaped && words.some((word) => word !== null && escapes.test(word))
    return [...args.flatMap(shows), ...(isCode ? [acts] : [])]
  },
  printf({ args, words, place }) {
    const [format = '', ...values] = words[0] === '--' ? words.slice(1) : words
    const isOption = words[0] !== '--' && format?.startsWith('-') === true
    if (format === null || isOption || setsVariable(format, values, place))
      return [effect('state', 'may change a variable of the shell')]
    const isCode = words.some((word) => word !== null && escapes.test(word))
    const isWide = /%[^a-zA-Z%]*(?:\d{4}|\*)/.test(format)
    return [
      ...args.flatMap(shows),
      ...(isCode ? [acts] : []),
      ...(isWide ? [effect('terminal', 'prints very much')] : []),
    ]
  },
  sleep: ({ words }) =>
    words.length === 1 && /^(?:\d|[1-5]\d|60)(?:\.\d+)?s?$/.test(words[0] ?? '')
      ? []
      : [effect('terminal', 'waits for longer than a minute')],
  test: judgeTest,
  '[': judgeTest,
  command({ args, words, place, inner }) {
    if (words[0] === '-v' || words[0] === '-V') return args.slice(1).flatMap(shows)
    return inner(args, deeper(place))
  },
  printenv: ({ args, words }) =>
    args.length > 0 && words.every((word) => word !== null && shown.has(word))
      ? []
      : [effect('secret', 'shows variables, which may hold passwords and keys')],
}

const textual = /%%|%-?\d*(?:\.\d+)?[sbqc]/g
const numeric = /%%|%-?\d*(?:\.\d+)?[sbqcdifuxX]/g

/** `%n` does; and to zsh a number is a sum, in which a variable may get a value. */
function setsVariable(
  format: string,
  values: readonly (string | null)[],
  { shell }: Place,
): boolean {
  if (shell === 'bash') return /%[\d#+ .*'hjlLtz-]*n/.test(format.replaceAll(textual, ''))
  const takes = [...format.replaceAll('%%', '').matchAll(numeric)].map(([each]) => each)
  const isPlain = values.every(
    (value, at) =>
      /[sbqc]$/.test(takes[at % takes.length] ?? '') ||
      (value !== null && /^-?\d+(?:\.\d+)?$/.test(value)),
  )
  return format.replaceAll(isPlain ? numeric : textual, '').includes('%')
}

const shown = new Set('PATH HOME USER LOGNAME SHELL LANG TERM PWD TZ NODE_ENV CI EDITOR'.split(' '))

/** `-v` and `-R` take the name of a variable, in which an index may run a command. */
function judgeTest({ args, words }: Call): readonly Effect[] {
  const isOdd =
    words.some((word) => word === '-v' || word === '-R') ||
    args.some(isMany) ||
    (words.includes(null) && !partsOf(words).every(isPlainTest))
  if (isOdd) return [effect('unclear', 'tests something that may run a command')]
  // Whether a variable is empty tells nothing of what it holds.
  return args.filter((_, at) => !/^-[nz]$/.test(words[at - 1] ?? '')).flatMap(shows)
}

/** The tests between `-a` and `-o`. */
function partsOf(words: readonly (string | null)[]): readonly (readonly (string | null)[])[] {
  const parts: (string | null)[][] = [[]]
  for (const word of words.at(-1) === ']' ? words.slice(0, -1) : words)
    if (word === '-a' || word === '-o') parts.push([])
    else if (word !== '!') parts.at(-1)?.push(word)
  return parts
}

/** A word that nobody knows stands where it can be no operator. */
function isPlainTest(words: readonly (string | null)[]): boolean {
  return words.length <= 1 || (words.length <= 3 && words[words.length - 2] !== null)
}
