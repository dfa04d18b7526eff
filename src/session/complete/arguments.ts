import { actionName, type Argument, type Grammar } from '../commands/grammar.ts'

/** The cursor in the part of an input that begins at `start`. */
export interface Cursor {
  start: number
  cursor: number
}

/** A piece of an input, in UTF-16 units. */
export interface Range {
  from: number
  to: number
}

export type ArgumentSlot = Range & { text: string } & (
    | { kind: 'flag'; names: readonly string[] }
    | { kind: 'word'; argument: Argument }
    | { kind: 'rest'; argument: Argument }
  )

export interface FoundArgument {
  slot: ArgumentSlot | null
  /** The arguments before the cursor, by name. */
  given: ReadonlyMap<string, string>
}

interface Token extends Range {
  value: string
}

interface Reading {
  text: string
  at: number
  cursor: number
  given: Map<string, string>
}

/**
 * The argument of a command that the cursor is in. Reads as `parseArguments` does, but an error or a
 * missing word only ends it: the person is still typing.
 */
export function argumentAt(
  grammar: Grammar,
  text: string,
  { start, cursor }: Cursor,
): FoundArgument {
  const reading: Reading = { text, at: skipBlanks(text, start), cursor, given: new Map() }
  const slot = inFlags(grammar.flags ?? [], reading) ?? inActions(grammar, reading)
  return { slot: slot === 'none' ? null : slot, given: reading.given }
}

/** Null: the cursor is behind all flags. */
function inFlags(flags: readonly Argument[], reading: Reading): ArgumentSlot | 'none' | null {
  const { text, cursor, given } = reading
  while (flags.length > 0 && text.startsWith('-', reading.at)) {
    const from = reading.at
    const to = from + (/^-[^\s=]*/.exec(text.slice(from))?.[0].length ?? 0)
    const names = flags.map(({ name }) => name).filter((name) => !given.has(name))
    if (cursor <= to) return { kind: 'flag', from, to, text: text.slice(from, cursor), names }
    const name = text.slice(from + 2, to)
    reading.at = text[to] === '=' ? to + 1 : skipBlanks(text, to)
    if (name === '') return null
    const argument = flags.find((flag) => flag.name === name)
    if (argument === undefined) return 'none'
    const token = tokenAt(text, reading.at)
    if (holds(token, reading)) return { kind: 'word', argument, ...upTo(token, text, cursor) }
    given.set(name, token.value)
    reading.at = skipBlanks(text, token.to)
  }
  return null
}

/** The action is a word like others until it is typed; then it says how the rest is read. */
function inActions(grammar: Grammar, reading: Reading): ArgumentSlot | 'none' | null {
  if (grammar.actions === undefined) return inWords(grammar, reading)
  const { of } = grammar.actions
  const choices = Object.keys(of)
  const first = inWords({ words: [{ name: actionName, kind: 'choice', choices }] }, reading)
  if (first !== null) return first
  const chosen = reading.given.get(actionName) ?? ''
  const next = Object.hasOwn(of, chosen) ? of[chosen] : undefined
  if (next === undefined) return null
  return inFlags(next.flags ?? [], reading) ?? inActions(next, reading)
}

function inWords({ words = [], rest }: Grammar, reading: Reading): ArgumentSlot | null {
  const { text, cursor, given } = reading
  for (const argument of words) {
    const token = tokenAt(text, reading.at)
    if (holds(token, reading)) return { kind: 'word', argument, ...upTo(token, text, cursor) }
    given.set(argument.name, token.value)
    reading.at = skipBlanks(text, token.to)
  }
  if (rest === undefined) return null
  const from = Math.min(reading.at, cursor)
  return { kind: 'rest', argument: rest, from, to: text.length, text: text.slice(from, cursor) }
}

function holds(token: Token, { cursor, text }: Reading): boolean {
  return cursor <= token.to || token.to >= text.length
}

function upTo(token: Token, text: string, cursor: number): Range & { text: string } {
  const from = Math.min(token.from, cursor)
  const before = text.slice(from, cursor)
  return {
    from,
    to: Math.max(cursor, cursor < token.from ? cursor : token.to),
    text: /^["']/.test(before) ? before.slice(1).replace(/["']$/, '') : before,
  }
}

function tokenAt(text: string, from: number): Token {
  const quote = /["']/.exec(text[from] ?? '')?.[0]
  const end = quote === undefined ? -1 : text.indexOf(quote, from + 1)
  if (quote !== undefined && end === -1)
    return { from, to: text.length, value: text.slice(from + 1) }
  if (quote !== undefined) return { from, to: end + 1, value: text.slice(from + 1, end) }
  const value = /^\S*/.exec(text.slice(from))?.[0] ?? ''
  return { from, to: from + value.length, value }
}

function skipBlanks(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)
}

/** A value as a command takes it: in quotes if it has blanks; null when there is no way to write it. */
export function quoteArgument(value: string): string | null {
  if (/\p{Cc}/u.test(value)) return null
  if (!/[\s"']/.test(value)) return value
  const quote = ['"', "'"].find((each) => !value.includes(each))
  return quote === undefined ? null : `${quote}${value}${quote}`
}

/** An `@` at a word’s start and what follows it, even if that is nothing yet. */
const mention = /(?<![^\s([{<"'`,;])@(?:"([^"\n]*)"?|([^\s"]*))/g
/** Behind the cursor, what may close a bracket or a sentence is not the path’s. */
const tail = /^[^\s()[\]{}<>"'`,;:!?]*/

/** The `@path` that the cursor is in; its range has the `@` and the quotes. */
export function mentionAt(text: string, cursor: number): (Range & { text: string }) | null {
  for (const match of text.matchAll(mention)) {
    const from = match.index
    const end = from + match[0].length
    if (from >= cursor) return null
    if (cursor > end) continue
    if (match[1] === undefined) {
      const rest = tail.exec(text.slice(cursor, end))?.[0].length ?? 0
      return { from, to: cursor + rest, text: text.slice(from + 1, cursor) }
    }
    // Behind the closing quote it is over.
    if (cursor === end && match[0].length > 2 && match[0].endsWith('"')) return null
    return { from, to: end, text: text.slice(from + 2, Math.max(cursor, from + 2)) }
  }
  return null
}

/** A path as a prompt names it; null when there is no way to write it. */
export function quoteMention(path: string): string | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return null
  if (!/\s/.test(path) && !path.startsWith('"')) return `@${path}`
  // In quotes, a number at the end is a line’s.
  return path.includes('"') || /:\d+(-\d+)?$/.test(path) ? null : `@"${path}"`
}
