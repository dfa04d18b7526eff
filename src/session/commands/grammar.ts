import { ok, refused, type Result } from '../../base/result.ts'

/** The kind of a value: completion offers those that exist. */
export type ArgumentKind =
  | 'text'
  | 'choice'
  | 'repo'
  | 'model'
  | 'skill'
  | 'task'
  | 'folder'
  | 'file'
  | 'time'
  | 'shell'

export interface Argument {
  name: string
  kind: ArgumentKind
  choices?: readonly string[]
  optional?: true
}

/** The syntax of the text behind a command’s name: flags, then words, then all the rest as it is. */
export interface Grammar {
  flags?: readonly Argument[]
  words?: readonly Argument[]
  rest?: Argument
  /** Instead of words: the first one says what to do, and how the rest is read. */
  actions?: {
    of: Readonly<Record<string, Grammar>>
    /** The action when none is named. */
    usual: string
  }
}

export interface Arguments {
  /** The value of an argument; undefined when it was not given. */
  get(name: string): string | undefined
}

/**
 * Reads the arguments of a command. Flags stand first, so that those behind the first word belong to
 * it; `--` ends them. The error says what was expected.
 */
export function parseArguments(grammar: Grammar, text: string): Result<Arguments, string> {
  const values = new Map<string, string>()
  const flagged = readFlags(grammar.flags ?? [], text.trimStart(), values)
  if (!flagged.ok) return flagged
  if (grammar.actions) return parseAction(grammar.actions, flagged.value, values)
  let rest = flagged.value
  for (const word of grammar.words ?? []) {
    const read = readWord(rest)
    if (!read.ok) return read
    const problem = accept(word, read.value.word, values)
    if (problem !== null) return refused(problem)
    rest = read.value.rest
  }
  const last = grammar.rest
  if (last === undefined)
    return rest === '' ? ok(values) : refused(`"${shorten(rest)}" was not expected`)
  const problem = accept(last, rest.trimEnd(), values)
  return problem === null ? ok(values) : refused(problem)
}

/** The name under which the action itself is found among the arguments. */
export const actionName = 'action'

function parseAction(
  { of, usual }: NonNullable<Grammar['actions']>,
  text: string,
  values: Map<string, string>,
): Result<Arguments, string> {
  const word = /^\S*/.exec(text)?.[0] ?? ''
  const action = word === '' ? usual : word
  const grammar = Object.hasOwn(of, action) ? of[action] : undefined
  if (grammar === undefined)
    return refused(`"${shorten(word)}" is none of ${Object.keys(of).join(', ')}`)
  const read = parseArguments(grammar, text.slice(word.length))
  if (!read.ok) return read
  return ok({
    get: (name) => (name === actionName ? action : (read.value.get(name) ?? values.get(name))),
  })
}

function accept(argument: Argument, value: string, values: Map<string, string>): string | null {
  if (value === '') return argument.optional ? null : `<${argument.name}> is missing`
  const problem = wrong(argument, value)
  if (problem === null) values.set(argument.name, value)
  return problem
}

function wrong({ name, choices }: Argument, value: string): string | null {
  if (choices === undefined || choices.includes(value)) return null
  return `<${name}> is one of ${choices.join(', ')}, not "${shorten(value)}"`
}

function readFlags(
  flags: readonly Argument[],
  text: string,
  values: Map<string, string>,
): Result<string, string> {
  let rest = text
  for (;;) {
    const match = flags.length === 0 ? null : /^--([\w-]*)(=|\s+|$)/.exec(rest)
    if (match === null) return ok(rest)
    const [all, name = '', gap] = match
    if (name === '') return gap === '=' ? refused('"--=" is no flag') : ok(rest.slice(all.length))
    const read = readFlag(flags, { name, text: rest.slice(all.length) }, values)
    if (!read.ok) return read
    rest = read.value
  }
}

function readFlag(
  flags: readonly Argument[],
  { name, text }: { name: string; text: string },
  values: Map<string, string>,
): Result<string, string> {
  const flag = flags.find((each) => each.name === name)
  const known = flags.map((each) => `--${each.name}`).join(', ')
  if (flag === undefined) return refused(`there is no flag --${shorten(name)}, only ${known}`)
  if (values.has(name)) return refused(`--${name} is given twice`)
  const read = readWord(text)
  if (!read.ok) return read
  if (read.value.word === '') return refused(`--${name} needs a value`)
  const problem = accept(flag, read.value.word, values)
  return problem === null ? ok(read.value.rest) : refused(problem)
}

/** The next word, in quotes if it has blanks; `rest` begins with what follows the gap. */
function readWord(text: string): Result<{ word: string; rest: string }, string> {
  const quote = /^(["'])/.exec(text)?.[1]
  if (quote === undefined) {
    const word = /^\S*/.exec(text)?.[0] ?? ''
    return ok({ word, rest: text.slice(word.length).trimStart() })
  }
  const end = text.indexOf(quote, 1)
  if (end === -1) return refused(`the quote ${quote} is not closed`)
  const after = text.slice(end + 1)
  if (/^\S/.test(after)) return refused(`a blank is missing after ${text.slice(0, end + 1)}`)
  return ok({ word: text.slice(1, end), rest: after.trimStart() })
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * The source of a pattern for a name behind a slash: letters and digits of any script, `:` between
 * folders. A path such as `/usr/bin/env` has a second slash, and is text.
 */
export const commandName = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}:._-]*`

/** The same letters may be written in two ways, and disks differ in which they keep. */
export function sameName(name: string): string {
  return name.normalize('NFC')
}
