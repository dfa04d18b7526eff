import {
  type Command,
  type CommandArgument,
  forEachChild,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'

/** The word of a command line that the cursor is in, as a shell would read it. */
export interface ShellWord {
  from: number
  to: number
  /** The word up to the cursor, without quotes and escapes. */
  text: string
  /** A comment is also any other place where no word of a command can stand. */
  role: 'program' | 'argument' | 'variable' | 'comment'
  /** False when the shell would put something else in its place: a variable, a pattern, an output. */
  isLiteral: boolean
  /** Its `~` stands for the person’s folder. */
  hasTilde: boolean
}

/** `--file=` and `NAME=`: what follows is a path of its own. */
const named = /^(?:--?[\w-]+|[A-Za-z_]\w*)=/
/** After these words comes the name of a program again. */
const prefixes = new Set('sudo doas env command exec nohup nice xargs time'.split(' '))
/** A letter that stands at the cursor, so that a word is there whatever comes before it. */
const letter = 'x'

export function shellWordAt(text: string, start: number, cursor: number): ShellWord {
  const before = text.slice(start, cursor)
  const place = wordAt(before + letter)
  const nothing = { from: cursor, to: cursor, text: '', isLiteral: true, hasTilde: false }
  if (place === null) return { ...nothing, role: 'comment' }
  const variable = variableAt(text, { place, start, cursor })
  if (variable !== null) return variable
  if (isWithin(place.word)) return { ...nothing, role: 'comment' }
  const { word } = place
  const written = before.slice(word.pos)
  const name = named.exec(written)?.[0] ?? ''
  return {
    from: start + word.pos + name.length,
    to: written === '' ? cursor : start + endOf(text.slice(start), { word, at: before.length }),
    text: valueUpTo(word).slice(name.length),
    role: name === '' ? place.role : 'argument',
    isLiteral: isLiteral(word, written),
    hasTilde: written.startsWith('~'),
  }
}

interface Place {
  word: Word
  role: 'program' | 'argument'
}

/** The innermost word that reaches to the end of a line; null when none does. */
function wordAt(line: string): Place | null {
  let found: Place | null = null
  const visit = (node: SyntaxNode, role: Place['role']): void => {
    // Between backquotes a text is decoded first: its positions are those of another text.
    if ('source' in node && node.source !== undefined && node.source !== line) return
    const isHere = node.end === line.length && node.pos < line.length
    if (node.type === 'Word' && isHere && line.endsWith(node.text)) found = { word: node, role }
    const program = node.type === 'Command' ? programAt(node, line.length) : null
    forEachChild(node, (child) => visit(child, child === program ? 'program' : 'argument'))
  }
  visit(parse(line), 'argument')
  return found
}

/** The word with this end, if it names a program: the first one, or what comes after one that runs others. */
function programAt({ name, args }: Command, end: number): CommandArgument | null {
  const words = [...(name ? [name] : []), ...args]
  const at = words.findIndex((word) => word.end === end)
  const isProgram = words.slice(0, Math.max(0, at)).every(({ text }) => leadsToProgram(text))
  return isProgram ? (words[at] ?? null) : null
}

/** The cursor is in a part of the word that is no text of its own, as in `${name:`. */
function isWithin({ parts = [] }: Word): boolean {
  const last = parts.at(-1)
  const inner = last?.type === 'DoubleQuoted' ? last.parts.at(-1) : last
  return inner !== undefined && /Expansion$|Substitution$/.test(inner.type)
}

function leadsToProgram(word: string): boolean {
  return prefixes.has(word) || /^[A-Za-z_]\w*\+?=|^-/.test(word)
}

/** The end of the word in the whole line, or the cursor where a quote was left open. */
function endOf(line: string, { word, at }: { word: Word; at: number }): number {
  const { errors = [], ...script } = parse(line)
  const isOpen = errors.some(
    ({ message, pos }) => /quote|backtick|substitution/.test(message) && pos >= word.pos,
  )
  if (isOpen) return at
  let end = at
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Word' && node.pos === word.pos) end = Math.max(end, node.end)
    forEachChild(node, visit)
  }
  visit(script)
  return end
}

/** Its value, without the letter. */
function valueUpTo({ value }: Word): string {
  return value.slice(0, -letter.length)
}

const literal = new Set<WordPart['type']>([
  'Literal',
  'SingleQuoted',
  'AnsiCQuoted',
  'DoubleQuoted',
])

function isLiteral({ parts = [] }: Word, written: string): boolean {
  const inner = parts.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' ? part.parts : [part],
  )
  return inner.every(({ type }) => literal.has(type)) && !/[*?[]/.test(unquoted(written))
}

function unquoted(text: string): string {
  return text.replaceAll(/'[^']*'?|"(?:[^"\\]|\\.)*"?|\\./gs, '')
}

interface AtCursor {
  place: Place
  start: number
  cursor: number
}

function variableAt(text: string, { place, start, cursor }: AtCursor): ShellWord | null {
  const { word } = place
  const last = word.parts?.at(-1)?.type
  if (last === 'SingleQuoted' || last === 'AnsiCQuoted') return null
  const before = /(?<!\\)(?:\\\\)*\$\{?(\w*)$/.exec(text.slice(start + word.pos, cursor))
  const name = before?.[1]
  if (name === undefined || /^\d/.test(name)) return null
  const tail = /^\w*/.exec(text.slice(cursor))?.[0].length ?? 0
  const range = { from: cursor - name.length, to: cursor + tail, text: name }
  return { ...range, role: 'variable', isLiteral: true, hasTilde: false }
}
