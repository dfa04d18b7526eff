import { type Command, forEachChild, parse, type SyntaxNode, type Word } from 'unbash'
import { withoutHidden } from '../../base/text.ts'
import { unwrap } from './calls/wrappers.ts'
import { type Argument, argumentsOf } from './syntax/argument.ts'

/** A piece of the text, and what stands in its place. */
interface Edit {
  from: number
  to: number
  text: string
}

/** Scripts within scripts beyond this stay as they are written. */
const maxDepth = 8
const maxChars = 64 * 1024
/** Nor are wrappers taken off a command with more words. */
const maxWords = 500

/** Only a text with one of these can be written in another way. */
const mayChange = /\b(?:env|timeout|nice|stdbuf|time|command|sh|bash|dash)\b|['"\\]/

/** The command as it would really act, part by part: without wrappers, and with all that is in it to be seen. */
export function effectiveCommand(command: string): string {
  return withoutHidden(
    command.length < maxChars && mayChange.test(command) ? unwrapped(command, 0) : command,
  )
}

function unwrapped(source: string, depth: number): string {
  const script = parse(source)
  if (depth > maxDepth || (script.errors?.length ?? 0) > 0) return source
  const edits = editsIn(script, { source, depth }).toSorted((one, other) => one.from - other.from)
  let end = 0
  const pieces = edits.map(({ from, to, text }) => {
    const piece = source.slice(end, from) + text
    end = to
    return piece
  })
  return [...pieces, source.slice(end)].join('')
}

interface Around {
  source: string
  depth: number
}

function editsIn(node: SyntaxNode, around: Around): readonly Edit[] {
  // Between backquotes a text is decoded first: its positions are those of another text.
  if ('source' in node && node.source !== undefined && node.source !== around.source) return []
  const edits: Edit[] = []
  if (node.type === 'Command') edits.push(...editsOf(node, around))
  if (node.type === 'Time') edits.push({ ...cut(node.pos, node.end, around.source), text: '' })
  forEachChild(node, (child) => edits.push(...editsIn(child, around)))
  return edits
}

/** From one place to another, and the blanks after it. */
function cut(from: number, to: number, source: string): Pick<Edit, 'from' | 'to'> {
  const blanks = /^[ \t]*/.exec(source.slice(to))?.[0].length ?? 0
  return { from, to: to + blanks }
}

function editsOf({ name, args, redirects }: Command, around: Around): readonly Edit[] {
  if (name === undefined || args.length > maxWords) return []
  if (around.source.slice(name.pos, name.end) !== name.text) return []
  const words = wrappers.test(valueText(name)) ? [name, ...args] : [name]
  const values = words.map((word) => (word.type === 'Word' ? valueOf(word) : odd))
  const first = innermost(values)
  // A redirection may stand anywhere, and stays.
  const edit = (last: number, text: string): readonly Edit[] => {
    const to = words[last]?.end ?? name.end
    return redirects.some(({ pos }) => pos > name.pos && pos < to)
      ? []
      : [{ from: name.pos, to, text }]
  }
  const script = scriptOf(values.slice(first))
  if (script !== null) return edit(first + 2, grouped(unwrapped(script, around.depth + 1)))
  const called = values[first]
  if (called?.is !== 'text') return []
  const isPlain = /^[\w./@%+:,-]+$/.test(called.text)
  return edit(first, isPlain ? called.text : (words[first]?.text ?? name.text))
}

const wrappers = /^(?:env|timeout|nice|stdbuf|time|command|(?:ba|da)?sh)$/

function valueText(word: Word): string {
  const value = valueOf(word)
  return value.is === 'text' ? value.text : ''
}

const odd: Argument = { is: 'odd', why: '' }

function valueOf(word: Word): Argument {
  const [value = odd, ...more] = argumentsOf(word, known)
  return more.length === 0 ? value : odd
}

const known = { shell: 'bash', home: null, cwd: null, loops: new Map() } as const

/** The place of the word that names the program within all wrappers. */
function innermost(values: readonly Argument[]): number {
  for (let at = 0; ;) {
    const [name, ...args] = values.slice(at)
    if (name?.is !== 'text') return at
    const inner = name.text === 'command' ? unwrapCommand(args) : unwrap(name.text, args)
    if (inner?.is !== 'inner') return at
    at = values.length - inner.call.length
  }
}

function unwrapCommand(args: readonly Argument[]): ReturnType<typeof unwrap> {
  const [first] = args
  const isCall = first?.is === 'text' && !first.text.startsWith('-')
  return isCall ? { is: 'inner', call: args, effects: [] } : null
}

/** The text of `sh -c TEXT`. */
function scriptOf([name, flag, text, ...rest]: readonly Argument[]): string | null {
  const isShell = name?.is === 'text' && /^(?:ba|da)?sh$/.test(name.text)
  const isText = flag?.is === 'text' && /^-[eux]*c$/.test(flag.text)
  return isShell && isText && text?.is === 'text' && rest.length === 0 ? text.text : null
}

/** Several commands stay together. */
function grouped(script: string): string {
  const { commands } = parse(script)
  return commands.length === 1 && commands[0]?.command.type === 'Command' ? script : `(${script})`
}
