import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { listingIn } from './lines-from.ts'

/** A piece of a word as the shell will see it. */
export type Piece =
  | { is: 'text'; text: string; isQuoted: boolean }
  /** `*`, `?` or `[…]`. */
  | { is: 'glob'; text: string }
  /** `$NAME` or `${NAME}`, nothing more. */
  | { is: 'variable'; name: string; isQuoted: boolean }
  /** The output of commands, which are judged on their own. */
  | { is: 'output'; isQuoted: boolean; listedBy?: readonly string[] | null }
  /** `{a,b}`: a word for each. */
  | { is: 'choice'; texts: readonly string[] }
  /** `~` or `~/` at the beginning: the home. */
  | { is: 'home' }
  /** Anything else: a reason why nobody can say what stands there. */
  | { is: 'odd'; why: string }

/** The pieces of a word, in order; neighbouring texts are one. */
export function piecesOf(word: Word, shell: 'bash' | 'zsh'): readonly Piece[] {
  const parts = word.parts ?? [literal(word)]
  const pieces = parts.flatMap((part, index) => fromPart(part, { isFirst: index === 0, shell }))
  // Alone it is no more than itself: `[ a = b ]`.
  if (word.text === '=') return [{ is: 'text', text: '=', isQuoted: false }]
  if (recallsHistory(word.text)) return [odd('a piece of the history')]
  return shell === 'zsh' && isModified(word.text) ? [zshOnly] : joined(pieces)
}

function literal({ text, value, pos, end }: Word): WordPart {
  return { type: 'Literal', text, value, pos, end }
}

/** A file as which the output of a command is read: a path that nobody can write in a command. */
export const pipeFile = '/dev/fd/\0'

/** `!$` and `!!`, which an interactive shell replaces, also between double quotes. */
function recallsHistory(text: string): boolean {
  return /!(?=[^\s=("'])/.test(withoutSingle(text)) && text !== '!'
}

/** Without what stands between single quotes; between double ones they are letters. */
function withoutSingle(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\\.|'[^']*'/gs, (found) =>
    found.startsWith("'") ? "''" : found,
  )
}

const zshOnly: Piece = { is: 'odd', why: 'zsh reads it in a way of its own' }

/** `$name[…]`, `$name:h` and `$+name`, which zsh knows also between double quotes. */
function isModified(text: string): boolean {
  return /\$(?:\w+|[?#$*@!-])[[:]|\$[+^=~]/.test(withoutSingle(text))
}

interface Around {
  isFirst: boolean
  shell: 'bash' | 'zsh'
}

function fromPart(part: WordPart, around: Around): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
      return fromLiteral(part.text, part.value, around)
    case 'Glob':
      return part.kind === 'bracket' && part.parts.some(({ type }) => type !== 'Literal')
        ? [odd('a bracket with something in it')]
        : [{ is: 'glob', text: part.text }]
    case 'SingleQuoted':
      return [{ is: 'text', text: part.value, isQuoted: true }]
    case 'AnsiCQuoted':
      // Only what nobody can read in two ways.
      return /^\$'(?:[^\\\p{C}]|\\[nt\\'"])*'$/u.test(part.text)
        ? [{ is: 'text', text: part.value, isQuoted: true }]
        : [odd('characters that are written as codes')]
    case 'DoubleQuoted':
      return quoted(part.parts.flatMap(fromQuoted))
    case 'SimpleExpansion':
      return [variable(part.text.slice(1))]
    case 'ParameterExpansion': {
      const isPlain = part.text === `\${${part.parameter}}`
      return [isPlain ? variable(part.parameter) : odd(`a variable that is changed: ${part.text}`)]
    }
    case 'CommandExpansion':
      return [{ is: 'output', isQuoted: false, listedBy: listingIn(part.script) }]
    case 'ProcessSubstitution':
      return part.operator === '<'
        ? [{ is: 'text', text: pipeFile, isQuoted: true }]
        : [odd('output into another command')]
    case 'BraceExpansion': {
      const numbers = numbersIn(part.text)
      if (numbers !== null) return [{ is: 'choice', texts: numbers }]
      return /^\{[\w./@+-]*(?:,[\w./@+-]*)+\}$/.test(part.text)
        ? [{ is: 'choice', texts: part.text.slice(1, -1).split(',') }]
        : [odd('braces that become several words')]
    }
    case 'ArithmeticExpansion':
      return isPlainSum(part.text) ? [{ is: 'output', isQuoted: true }] : [odd('arithmetic')]
    case 'ExtendedGlob':
      return [odd('an extended pattern')]
    case 'LocaleString':
      return [odd('a text that is translated')]
    default:
      part satisfies never
      return [odd('something new')]
  }
}

/** `{1..5}`: numbers without zeros before them, which a shell would keep; null when there are many. */
function numbersIn(text: string): readonly string[] | null {
  const [, first, last] = /^\{(0|[1-9]\d{0,8})\.\.(0|[1-9]\d{0,8})\}$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  const count = Math.abs(to - from) + 1
  if (first === undefined || count > maxNumbers) return null
  return Array.from({ length: count }, (_, at) => String(from <= to ? from + at : from - at))
}

/** More words than this are not looked at one by one. */
const maxNumbers = 64

/** Between double quotes no letter but `$` and the backquote means anything. */
function fromQuoted(part: DoubleQuotedChild): readonly Piece[] {
  return part.type === 'Literal'
    ? [{ is: 'text', text: part.value, isQuoted: true }]
    : fromPart(part, { isFirst: false, shell: 'bash' })
}

/** Numbers only: a name in it may run a command. */
export function isPlainSum(text: string): boolean {
  return /^\$\(\([\d\s+*/%()-]*\)\)$/.test(text)
}

function odd(why: string): Piece {
  return { is: 'odd', why }
}

function variable(name: string): Piece {
  return { is: 'variable', name, isQuoted: false }
}

function fromLiteral(text: string, value: string, around: Around): readonly Piece[] {
  const why = oddLetters(text, around)
  if (why !== null) return [why]
  const isHome = around.isFirst && (text === '~' || text.startsWith('~/'))
  if (!isHome) return [{ is: 'text', text: value, isQuoted: text !== value }]
  return [{ is: 'home' }, { is: 'text', text: value.slice(1), isQuoted: false }]
}

/** Letters without quotes that mean more than they show, or less. */
function oddLetters(text: string, { isFirst, shell }: Around): Piece | null {
  // Dashes, quotes and semicolons have look-alikes.
  if (/[^\x20-\x7e\n\t]/.test(text)) return odd('letters that are not what they seem')
  // No word has them without quotes: the parser has read `0>(x)` for one, and the shell runs what is in it.
  if (/[<>();|&`]/.test(text.replaceAll(/\\./gs, '')))
    return odd('signs of the shell within a word')
  if (text === '{' || text === '}') return odd('a brace on its own')
  if (shell === 'zsh' && (/[\^#]/.test(text) || (isFirst && text.startsWith('=')))) return zshOnly
  if (isFirst && /^~[^/]/.test(text)) return odd('the home of somebody else')
  // A tilde within a word is a home only after `=` or `:`, and there it is not worth the trouble.
  return /[=:]~/.test(text) ? odd('a home within a word') : null
}

/** Nothing is split there. */
function quoted(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.length === 0) return [{ is: 'text', text: '', isQuoted: true }]
  return pieces.map((piece) => ('isQuoted' in piece ? { ...piece, isQuoted: true } : piece))
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (piece.is === 'text' && last?.is === 'text')
      all[all.length - 1] = {
        is: 'text',
        text: last.text + piece.text,
        isQuoted: last.isQuoted || piece.isQuoted,
      }
    else all.push(piece)
  }
  return all
}
