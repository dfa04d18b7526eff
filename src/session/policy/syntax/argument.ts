import type { Word } from 'unbash'
import { type Piece, piecesOf } from './word.ts'

/** An argument as a program will get it, as far as that can be known beforehand. */
export type Argument =
  | { is: 'text'; text: string }
  /** It becomes the names of files: a pattern whose special letters are marked. */
  | { is: 'pattern'; pattern: Pattern }
  /** Anything: what a command printed, or a variable holds. Unless it is one word, it may be several, or none. */
  | Unknown
  /** It is not worth guessing: the part asks. */
  | { is: 'odd'; why: string }

export interface Unknown {
  is: 'unknown'
  why: string
  isOne: boolean
  /** It is the name of a file. */
  isListed?: boolean
  /** The words of the command that prints the names, which the shell then splits. */
  listedBy?: readonly string[]
}

/** Literal texts and the special letters between them, in order. */
export type Pattern = readonly ({ text: string } | { glob: string })[]

export interface Known {
  shell: 'bash' | 'zsh'
  home: string | null
  /** The shell's folder, if there is only one that it can be. */
  cwd: string | null
  /** The values that a loop gives its variable. */
  loops: ReadonlyMap<string, readonly Argument[]>
}

/** Variables that anybody may see. */
const printable = new Set(
  '? # $ HOME PWD OLDPWD USER LOGNAME UID EUID HOSTNAME HOST SHELL SHLVL LANG LC_ALL TERM TZ PATH PPID RANDOM SECONDS LINES COLUMNS OSTYPE HOSTTYPE MACHTYPE BASH_VERSION ZSH_VERSION NODE_ENV CI EPOCHSECONDS'.split(
    ' ',
  ),
)
/** More words than this from one are not looked at one by one. */
const maxWords = 64

/** The arguments that a word becomes. */
export function argumentsOf(word: Word, known: Known): readonly Argument[] {
  let drafts: readonly Draft[] = [{ pieces: [], unknown: null }]
  const pieces = piecesOf(word, known.shell)
  for (const piece of pieces) {
    if (piece.is === 'odd') return [{ is: 'odd', why: piece.why }]
    const choices = choicesOf(piece, known)
    drafts = drafts.flatMap((draft) => choices.map((choice) => joinDraft(draft, choice)))
    if (drafts.length > maxWords) return [{ is: 'odd', why: 'very many words in one' }]
  }
  const found = drafts.map(finish)
  // A choice of nothing is no word at all, and what follows would take its place.
  return pieces.some(({ is }) => is === 'choice') && found.some(isEmpty)
    ? [{ is: 'odd', why: 'a word that may be none' }]
    : found
}

function isEmpty(argument: Argument): boolean {
  return argument.is === 'text' && argument.text === ''
}

/** Says whether an argument may be several words, or none. */
export function isMany(argument: Argument): boolean {
  return argument.is === 'pattern' || (argument.is === 'unknown' && !argument.isOne)
}

interface Draft {
  pieces: Pattern
  unknown: Omit<Unknown, 'is'> | null
}

function choicesOf(piece: Exclude<Piece, { is: 'odd' }>, known: Known): readonly Draft[] {
  switch (piece.is) {
    case 'text':
      return [{ pieces: [{ text: piece.text }], unknown: null }]
    case 'glob':
      return [{ pieces: [{ glob: piece.text }], unknown: null }]
    case 'choice':
      return piece.texts.map((text) => ({ pieces: [{ text }], unknown: null }))
    case 'home':
      return [value(known.home, 'the home is not known')]
    case 'output':
      return [
        {
          pieces: [],
          unknown: {
            why: 'it is what another command prints',
            isOne: piece.isQuoted,
            ...(piece.listedBy != null && { isListed: true, listedBy: piece.listedBy }),
          },
        },
      ]
    case 'variable':
      return variable(piece, known)
    default:
      return piece satisfies never
  }
}

function variable(
  { name, isQuoted }: Piece & { is: 'variable' },
  { home, cwd, loops }: Known,
): readonly Draft[] {
  const values = loops.get(name)
  if (values !== undefined) return values.map((each) => looped(each, isQuoted))
  const text = name === 'HOME' ? home : name === 'PWD' ? cwd : null
  if (text !== null && (isQuoted || isOneWord(text))) return [value(text, '')]
  const why = printable.has(name) ? `it is the value of $${name}` : hidden(name)
  // A folder may have any name; the others are no texts with spaces.
  return [unknown(why, isQuoted || (printable.has(name) && !name.endsWith('PWD')))]
}

function unknown(why: string, isOne: boolean): Draft {
  return { pieces: [], unknown: { why, isOne } }
}

const secretMark = 'the variable '

function hidden(name: string): string {
  return `${secretMark}$${name} may hold a secret`
}

/** Says whether a variable may be shown to anybody. */
export function isPrintable(name: string): boolean {
  return printable.has(name)
}

/** Says whether an unknown argument shows a variable that nobody listed as harmless. */
export function showsVariable({ why }: Argument & { is: 'unknown' }): boolean {
  return why.startsWith(secretMark)
}

function value(text: string | null, why: string): Draft {
  return text === null ? unknown(why, false) : { pieces: [{ text }], unknown: null }
}

/** Without quotes a value is split, and its patterns are expanded, once more. */
function looped(argument: Argument, isQuoted: boolean): Draft {
  const split = unknown('it may become several words', false)
  switch (argument.is) {
    case 'text':
      return isQuoted || isOneWord(argument.text) ? value(argument.text, '') : split
    case 'pattern':
      return isQuoted ? { pieces: argument.pattern, unknown: null } : split
    case 'unknown':
    case 'odd':
      return unknown(argument.why, isQuoted)
    default:
      return argument satisfies never
  }
}

function isOneWord(text: string): boolean {
  return /^[\w./@+:,%-]+$/.test(text)
}

function joinDraft(one: Draft, other: Draft): Draft {
  if (one.pieces.length === 0 && one.unknown === null) return other
  const unknowns = [one.unknown, other.unknown].filter((each) => each !== null)
  const [first] = unknowns
  return {
    pieces: [...one.pieces, ...other.pieces],
    unknown: first ? { why: first.why, isOne: unknowns.every(({ isOne }) => isOne) } : null,
  }
}

function finish({ pieces, unknown }: Draft): Argument {
  if (unknown !== null) return { is: 'unknown', ...unknown }
  const isText = pieces.every((piece) => 'text' in piece)
  const text = pieces.map((piece) => ('text' in piece ? piece.text : piece.glob)).join('')
  return isText ? { is: 'text', text } : { is: 'pattern', pattern: pieces }
}
