import type { SubmitAs } from '../../protocol/http/intent.ts'
import { type Argument, commandName, type Grammar, sameName } from '../commands/grammar.ts'
import { findCommand } from '../commands/registry.ts'
import { argumentAt, type Cursor, type Range, mentionAt } from './arguments.ts'
import { type ShellWord, shellWordAt } from './shell-word.ts'

/** The place where a command line would run: the shared terminal, or a folder of the team’s. */
export type CommandPlace = 'terminal' | { repo: string | null; cwd: string | null }

/** The thing being typed at the cursor, and the range that would be replaced. */
export type Want = Range & { text: string } & (
    | { kind: 'nothing' }
    | { kind: 'command' }
    | { kind: 'mention' }
    | { kind: 'flag'; names: readonly string[] }
    | {
        kind: 'argument'
        argument: Argument
        place: CommandPlace | null
        /** It takes the rest of the line as it is, without quotes. */
        isRest: boolean
      }
    | ({ kind: 'shell'; place: CommandPlace; line: Line } & Omit<ShellWord, keyof Range | 'text'>)
  )

/** The command line so far; an earlier one may take its place only if nothing follows the cursor. */
interface Line {
  text: string
  /** The part before the word. */
  before: string
  isWhole: boolean
}

/**
 * The completion wanted at the cursor. Takes any text and any cursor; never throws, and `from ≤
 * cursor ≤ to`.
 */
export function completionAt(text: string, cursor: number, as: SubmitAs): Want {
  const at = Math.max(0, Math.min(Math.trunc(cursor) || 0, text.length))
  if (as === 'text') return nothing(at)
  const blanks = text.length - text.trimStart().length
  if (text[blanks] === '!') {
    const start = blanks + (/^![!?]?/.exec(text.slice(blanks))?.[0].length ?? 1)
    return at < start ? nothing(at) : shell(text, { start, cursor: at }, 'terminal')
  }
  if (as === 'run') return shell(text, { start: 0, cursor: at }, 'terminal')
  if (text[blanks] === '/') return slash(text, blanks, at) ?? mention(text, at)
  return mention(text, at)
}

function nothing(at: number): Want {
  return { kind: 'nothing', from: at, to: at, text: '' }
}

function mention(text: string, cursor: number): Want {
  const found = mentionAt(text, cursor)
  return found === null ? nothing(cursor) : { kind: 'mention', ...found }
}

function shell(text: string, { start, cursor }: Cursor, place: CommandPlace): Want {
  const begin = start + (/^\s*/.exec(text.slice(start, cursor))?.[0].length ?? 0)
  const word = shellWordAt(text, begin, cursor)
  const line = {
    text: text.slice(begin, cursor),
    before: text.slice(begin, word.from),
    isWhole: text.slice(cursor).trim() === '',
  }
  return { kind: 'shell', place, line, ...word }
}

const named = new RegExp(String.raw`^/(${commandName})?(?=\s|$)`, 'u')

/** Null when the text only looks like a command: `/usr/bin/env`. */
function slash(text: string, from: number, cursor: number): Want | null {
  const match = named.exec(text.slice(from))
  if (match === null) return null
  const to = from + match[0].length
  if (cursor <= from) return nothing(cursor)
  if (cursor <= to) return { kind: 'command', from, to, text: text.slice(from + 1, cursor) }
  const command = findCommand(sameName(match[1] ?? ''))
  // A skill or a command file: what follows is text.
  if (command === undefined) return null
  return argument(command.grammar ?? {}, text, { start: to, cursor })
}

function argument(grammar: Grammar, text: string, at: Cursor): Want {
  const { cursor } = at
  const { slot, given } = argumentAt(grammar, text, at)
  if (slot === null) return nothing(cursor)
  if (slot.kind === 'flag') return slot
  const where = { repo: given.get('repo') ?? null, cwd: given.get('cwd') ?? null }
  const { kind, argument, ...range } = slot
  if (argument.kind === 'shell') return shell(text, { start: slot.from, cursor }, where)
  if (kind === 'rest' && argument.kind === 'text') return mention(text, cursor)
  const takesRepo = (grammar.flags ?? []).some(({ name }) => name === 'repo')
  const isRest = kind === 'rest'
  return { ...range, kind: 'argument', argument, isRest, place: takesRepo ? where : null }
}
