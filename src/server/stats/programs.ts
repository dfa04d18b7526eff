import {
  type Command,
  forEachChild,
  parse,
  type SyntaxNode,
  type Word as ParsedWord,
  type WordPart,
} from 'unbash'

/**
 * The programs that a command line runs, by the first word of each of its simple commands: names without
 * folders. An argument must never be taken for one, so what is not surely a program is not named.
 */
export function programsIn(command: string): readonly string[] {
  return simpleCommands(command).flatMap((words) => programOf(words) ?? [])
}

/** Words of a shell's own; a command may follow. */
const keywords = new Set(
  '! if then else elif fi do done while until time { } and or not begin end esac'.split(' '),
)
/** After these names and values follow, no command. */
const openers = new Set(['for', 'select', 'function', 'in'])

interface Wrapper {
  /** Options without a value, alone or together. */
  flags: RegExp
  /** Options whose value is the next word. */
  valued: RegExp
  /** Takes variables before the command. */
  assigns: boolean
}

const none = /^$/

/** Programs that run the one named behind their own options. An option that is not known ends the search. */
const wrappers = new Map<string, Wrapper>([
  ['sudo', { flags: /^(?:-[EHnSkbisAPB]+|--)$/, valued: /^-[ugpCDRTh]$/, assigns: true }],
  ['doas', { flags: /^-[ns]+$/, valued: /^-[uC]$/, assigns: false }],
  ['env', { flags: /^(?:-[i0v]+|--)$/, valued: /^-[uC]$/, assigns: true }],
  ['nice', { flags: none, valued: /^-n$/, assigns: false }],
  ['exec', { flags: /^-[cl]+$/, valued: /^-a$/, assigns: false }],
  ['command', { flags: /^-p$/, valued: none, assigns: false }],
  ['builtin', { flags: none, valued: none, assigns: false }],
  ['nohup', { flags: none, valued: none, assigns: false }],
])

const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/

/** Null when it has none, or one that cannot be told. */
function programOf(words: readonly Word[]): string | null {
  const start = words.findIndex((word) => !isKeyword(word) && !assignment.test(word.text))
  const first = words[start]
  if (first === undefined || isOpener(first)) return null
  return named(words.slice(start))
}

const isKeyword = ({ text, isQuoted }: Word) => !isQuoted && keywords.has(text)
const isOpener = ({ text, isQuoted }: Word) => !isQuoted && openers.has(text)

function named([word, ...rest]: readonly Word[]): string | null {
  const name = word === undefined || word.isDoubtful ? null : nameOf(word.text)
  const wrapper = name === null ? undefined : wrappers.get(name)
  if (wrapper === undefined) return name
  const behind = afterOptions(rest, wrapper)
  return (behind && named(behind)) ?? name
}

/** The command that a wrapper runs; null where that is not clear. */
function afterOptions(words: readonly Word[], wrapper: Wrapper): readonly Word[] | null {
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? ''
    if (wrapper.assigns && assignment.test(text)) continue
    if (!text.startsWith('-')) return words.slice(at)
    if (wrapper.valued.test(text)) at += 1
    else if (!wrapper.flags.test(text)) return null
  }
  return null
}

const programName = /^(?:\[|[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39})$/

function nameOf(word: string): string | null {
  const base = word.slice(word.lastIndexOf('/') + 1)
  return programName.test(base) ? base : null
}

/** A word of a command line, its quotes taken off. */
interface Word {
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
function simpleCommands(line: string): readonly (readonly Word[])[] {
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
