import {
  type Command,
  forEachChild,
  parse,
  type SyntaxNode,
  type Word as ParsedWord,
  type WordPart,
} from 'unbash'

/** A word of a command line, its quotes taken off. */
export interface Word {
  text: string
  isQuoted: boolean
  /** The shell would make something else of it: a variable, a pattern, a command's output. */
  isDoubtful: boolean
}

/** More commands in one line, or deeper inside each other, are a script; so is a longer line. */
const maxCommands = 50
const maxDepth = 80
const maxChars = 20_000

/** An unclear part ends the reading. */
class Unclear extends Error {}

/**
 * The simple commands of a line of shell, each as its words without redirections; those inside `$( )` and
 * parentheses too. Where it gets unclear the rest is left out, with the command it stands in.
 */
export function simpleCommands(line: string): readonly (readonly Word[])[] {
  if (line.length > maxChars) return []
  const found: (readonly Word[])[] = []
  const script = parse(line.replaceAll('\r\n', '\n'))
  const end = Math.min(...(script.errors ?? []).map(({ pos }) => pos), line.length)
  try {
    collect(script, { found, end, depth: 0 })
  } catch (error) {
    if (!(error instanceof Unclear)) throw error
  }
  return found.slice(0, maxCommands)
}

interface Reading {
  readonly found: (readonly Word[])[]
  /** The first place that the grammar does not know. */
  readonly end: number
  readonly depth: number
}

/** Grammars of their own, in which a word is easily taken for a program. */
const unclear = new Set<SyntaxNode['type']>([
  'Function',
  'Case',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
  'ArithmeticExpansion',
  'ArrayValue',
  'HereDoc',
  'AnsiCQuoted',
  'Coproc',
  'Select',
])

function collect(node: SyntaxNode, reading: Reading): void {
  const isUnclear =
    unclear.has(node.type) ||
    reading.depth > maxDepth ||
    (node.type === 'CommandExpansion' && node.text.startsWith('`')) ||
    (node.type === 'ParameterExpansion' && /[$'"`\\(]/.test(node.text.slice(2)))
  if (isUnclear) throw new Unclear()
  forEachChild(node, (child) => collect(child, { ...reading, depth: reading.depth + 1 }))
  if (node.type !== 'Command' || node.name === undefined) return
  if (node.end > reading.end || reading.found.length > maxCommands) throw new Unclear()
  reading.found.push(wordsOf(node, node.name))
}

function wordsOf({ args }: Command, name: ParsedWord): readonly Word[] {
  return [name, ...args].map((word) => (word.type === 'Word' ? toWord(word) : assigned(word.text)))
}

const assigned = (text: string): Word => ({ text, isQuoted: false, isDoubtful: true })

const literal = new Set(['Literal', 'SingleQuoted', 'DoubleQuoted'])

function toWord({ text, value, parts = [] }: ParsedWord): Word {
  const inner = parts.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' ? part.parts : [part],
  )
  const isPlain = inner.every((part) => literal.has(part.type))
  return {
    text: value,
    isQuoted: parts.some((part) => part.type.endsWith('Quoted')),
    isDoubtful: !isPlain || (text !== '{' && text !== '}' && /^~|[*?{}]/.test(unquoted(text))),
  }
}

/** Without what stands between quotes, where letters mean themselves. */
function unquoted(text: string): string {
  return text.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs, '')
}
