import { createShellScan, type ScannedLine, type ScannedWord } from './complete-shell-scan.ts'

/** The word of a command line that the cursor is in, as a shell would read it. */
export interface ShellWord {
  from: number
  to: number
  /** Up to the cursor, without quotes and escapes. */
  text: string
  role: 'program' | 'argument' | 'variable' | 'comment'
  /** False when the shell would put something else in its place: a variable, a pattern, an output. */
  isLiteral: boolean
  /** Its `~` stands for the person’s folder. */
  hasTilde: boolean
}

/** `--file=` and `NAME=`: what follows is a path of its own. */
const named = /^(?:--?[\w-]+|[A-Za-z_]\w*)=/

export function shellWordAt(text: string, start: number, cursor: number): ShellWord {
  const scan = createShellScan(text)
  let at = start
  while (at < cursor) at = scan.step(at)
  const line = scan.line()
  const { word } = line
  if (line.quote === 'comment') return nothing(cursor, 'comment')
  if (word === null) return nothing(cursor, roleOf(line))
  const found = variableAt(text, { line, word, cursor }) ?? wordUpTo(text, { line, word, cursor })
  while (at < text.length && line.word === word) at = scan.step(at)
  // A quote that nobody closed says nothing of where the word was meant to end.
  const isOpen = line.word === word && (line.quote !== 'none' || scan.line() !== line)
  // The step that ended the word took the one character behind it along.
  const end = line.word === word ? at : at - 1
  return found.role === 'variable' || isOpen ? found : { ...found, to: Math.max(cursor, end) }
}

interface AtCursor {
  line: ScannedLine
  word: ScannedWord
  cursor: number
}

function nothing(cursor: number, role: ShellWord['role']): ShellWord {
  return { from: cursor, to: cursor, text: '', role, isLiteral: true, hasTilde: false }
}

function roleOf({ isProgram, isRedirected }: ScannedLine): 'program' | 'argument' {
  return isProgram && !isRedirected ? 'program' : 'argument'
}

function wordUpTo(text: string, { line, word, cursor }: AtCursor): ShellWord {
  const { from, value, isLiteral, hasTilde } = word
  const name = named.exec(text.slice(from, cursor))?.[0] ?? ''
  return {
    from: from + name.length,
    to: cursor,
    text: value.slice(name.length),
    role: name === '' ? roleOf(line) : 'argument',
    isLiteral,
    hasTilde,
  }
}

function variableAt(text: string, { line, word, cursor }: AtCursor): ShellWord | null {
  if (line.quote !== 'none' && line.quote !== 'double') return null
  const before = /(?<!\\)(?:\\\\)*\$\{?(\w*)$/.exec(text.slice(word.from, cursor))
  const name = before?.[1]
  if (name === undefined || /^\d/.test(name)) return null
  const tail = /^\w*/.exec(text.slice(cursor))?.[0].length ?? 0
  const range = { from: cursor - name.length, to: cursor + tail, text: name }
  return { ...range, role: 'variable', isLiteral: true, hasTilde: false }
}
