import { meansSecret } from '../patterns.ts'
import { readCall } from '../programs/read-call.ts'
import { shownBy } from '../programs/search.ts'
import { textPrograms } from '../programs/text.ts'
import type { Argument } from '../syntax/argument.ts'

/** It prints the names of files and nothing else, and none that is meant as a secret. */
export function listsFiles([name = '', ...words]: readonly string[]): boolean {
  const isList =
    name === 'ls' ||
    name === 'find' ||
    (name === 'git' && /^(?:ls-files|diff .*--name-only)/.test(words.join(' '))) ||
    (/^(?:[ef]?grep|rg)$/.test(name) &&
      words.some((word) => /^-\w*l\w*$|^--files(?:-with-matches)?$/.test(word)))
  return isList && !words.some((word) => /^-printf$|[$`]/.test(word) || meansSecret(word))
}

const ofKind = (word: string) =>
  /^(?:[\w./-]*\/)?[\w*]*\*[\w.]*\.[a-z]{1,5}$/.test(word) && !manyKinds.test(word)

/** A list of files that all end in the same harmless way: `find . -name '*.ts'`. */
function picksKind(before: readonly string[]): boolean {
  const [name, ...words] = before
  if (!listsFiles(before)) return false
  if (name === 'ls' || name === 'git') {
    const operands = words.slice(name === 'git' ? 1 : 0).filter((word) => !word.startsWith('-'))
    return operands.length > 0 && operands.every(ofKind)
  }
  const isOdd = words.some((word, at) =>
    /^(?:-o|-or|,|\()$/.test(word)
      ? true
      : /^(?:!|-not)$/.test(word) && !/^-(?:path|name)$/.test(words[at + 1] ?? ''),
  )
  const isKind = (word: string, at: number) =>
    /^-i?name$/.test(word) &&
    !/^(?:!|-not)$/.test(words[at - 1] ?? '') &&
    ofKind(words[at + 1] ?? '')
  return name === 'find' && !isOdd && words.some(isKind)
}

/** Endings that also files with passwords have. */
const manyKinds = /\.(?:json|toml|ya?ml|ini|xml|db|csv|conf|cfg|cnf|txt|properties|sqlite|gpg|asc)$/

/** It shows names, or lines with a word that does not stand beside a secret. */
export function showsLittle(args: readonly Argument[]): boolean {
  const { grep } = textPrograms
  if (grep === undefined) return false
  const found = readCall('grep', args, grep)
  const seen = found.seen.filter((flag) => flag !== '--include')
  return found.unknown === null && shownBy({ ...found, seen }, found.operands[0]) !== 'all'
}

/** A search for a word may meet a secret, too; what prints whole files may do so only if their kind was picked. */
export function readsHarmless(
  [name, ...args]: readonly Argument[],
  before: readonly string[],
): boolean {
  const isSearch = name?.is === 'text' && /^[ef]?grep$/.test(name.text)
  if (!isSearch) return picksKind(before)
  const isTracked = before[0] === 'git' && !before.some((word) => /^-\w*[oi]|^--(?:o|i)/.test(word))
  return listsFiles(before) && (showsLittle(args) || isTracked || picksKind(before))
}
