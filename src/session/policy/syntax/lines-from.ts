import type { CommandNode, Redirection, Script, Word } from 'unbash'

/** The words of the part whose lines come in; some only pass them on. */
export function linesFrom(commands: readonly CommandNode[], index: number): readonly string[] {
  const words = wordsOf(commands[index])
  const [name = '', ...rest] = words
  return (passesOn(name, rest) || picksLines(name, rest)) && index > 0
    ? linesFrom(commands, index - 1)
    : words
}

/** The options of these that take a number; one anywhere else is a file. */
const counts: ReadonlyMap<string, RegExp> = new Map([
  ['sort', /^-k$/],
  ['uniq', /^-[fsw]$/],
  ['head', /^-n$/],
  ['tail', /^-n$/],
])

/** Each line goes on whole: none is cut, and none gets a number before it. */
function passesOn(name: string, words: readonly string[]): boolean {
  const takes = counts.get(name)
  if (takes === undefined) return false
  const cuts = name === 'sort' ? /^$/ : /^-\w*c/
  return words.every((word, at) =>
    /^\d+$/.test(word) ? takes.test(words[at - 1] ?? '') : /^-\w+$/.test(word) && !cuts.test(word),
  )
}

/** A search through what comes in leaves some of the lines out; unless it looks for those that nobody should read. */
function picksLines(name: string, words: readonly string[]): boolean {
  const patterns = words.filter((word) => !/^-[vEiFw]+$/.test(word))
  const [pattern = ''] = patterns
  const isSecret = /env|key|pem|secret|cred|pass|token|^\^\\?\./i.test(pattern)
  return name === 'grep' && patterns.length === 1 && !pattern.startsWith('-') && !isSecret
}

function wordsOf(part: CommandNode | undefined): readonly string[] {
  if (part?.type !== 'Command') return []
  return [part.name, ...part.args].flatMap((word) => (word?.type === 'Word' ? [word.value] : []))
}

/** Commands that print the names of files and nothing else. */
const listing = /^(?:git ls-files|git diff --name-only|which|command -v|find(?!.* -printf)|ls) ./s

/** The words of a script that is one such command, every word of which stands there as it is, in whatever quotes; else null. */
export function listingIn(script: Pick<Script, 'commands'> | undefined): readonly string[] | null {
  const [only, ...more] = script?.commands ?? []
  if (only === undefined || more.length > 0 || only.background === true) return null
  const { command } = only
  if (command.type !== 'Command' || command.prefix.length + command.redirects.length > 0)
    return null
  const words = [command.name, ...command.args]
  const values = wordsOf(command)
  const isListing =
    words.every((word) => word?.type === 'Word' && isStatic(word)) &&
    !values.slice(0, 2).some((value) => /\s/.test(value)) &&
    listing.test(values.join(' ')) &&
    isFromFolder(values)
  return isListing ? values : null
}

/** A name without a folder before it may be an option, unless its kind is told. */
function isFromFolder([name, ...words]: readonly string[]): boolean {
  if (name !== 'ls' && name !== 'git') return true
  const operands = words.filter((word) => !word.startsWith('-')).slice(name === 'git' ? 1 : 0)
  const end = words.indexOf('--')
  if (
    operands.length === 0 ||
    (end >= 0 && words.slice(end + 1).some((word) => word.startsWith('-')))
  )
    return false
  const from = name === 'git' ? /^(?:[\w.][^*?[]*\/|\*\.\w+$)/ : /^[\w./][^*?[]*\/.*[*?[]/
  return operands.every((word) => from.test(word))
}

function isStatic({ parts = [], value }: Word): boolean {
  const isPlain = parts.every(
    (part) =>
      /^(?:Literal|SingleQuoted|AnsiCQuoted|Glob|BraceExpansion)$/.test(part.type) ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  )
  return isPlain && !/[`$;|&<>()\n]/.test(value)
}

/** The one text that is fed to a command, if nothing in it is expanded. */
export function textFed(redirects: readonly Redirection[]): string | undefined {
  const inputs = redirects.filter((each) => each.type !== 'Redirect' || each.operator === '<')
  const [input] = inputs
  return inputs.length === 1 &&
    input?.type === 'HereDoc' &&
    input.delimiter?.quoted === true &&
    input.operator === '<<'
    ? input.body.text
    : undefined
}
