/** A word of a command line as far as it was read. */
export interface ScannedWord {
  from: number
  value: string
  isLiteral: boolean
  hasTilde: boolean
}

/** A command line, or one inside another: in `$(…)`, backquotes or parentheses. */
export interface ScannedLine {
  /** Whether the next word names a program. */
  isProgram: boolean
  /** Whether the next word is where something is read from or written to. */
  isRedirected: boolean
  quote: 'none' | 'single' | 'double' | 'ansi' | 'comment'
  word: ScannedWord | null
  closer: ')' | '`' | ''
}

/** After these words comes the name of a program again. */
const prefixes = new Set(
  'if then else elif do while until time ! { sudo doas env command exec nohup nice xargs'.split(
    ' ',
  ),
)
const assignment = /^[A-Za-z_]\w*\+?=/
const controls: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\x1b',
  a: '\x07',
}

/** Reads a command line piece by piece; `step` gives the place behind what it read. */
export function createShellScan(text: string): { step(at: number): number; line(): ScannedLine } {
  const outer: ScannedLine[] = []
  let line = fresh('')

  function push(closer: ScannedLine['closer']): void {
    outer.push(line)
    line = fresh(closer)
  }

  function pop(): void {
    line = outer.pop() ?? line
  }

  function open(at: number): ScannedWord {
    line.word ??= { from: at, value: '', isLiteral: true, hasTilde: false }
    return line.word
  }

  function close(): void {
    const { word, isRedirected } = line
    if (word === null) return
    line.word = null
    line.isRedirected = false
    if (!isRedirected) line.isProgram = line.isProgram && leadsToProgram(word.value)
  }

  function add(at: number, piece: string): number {
    open(at).value += piece
    return at + 1
  }

  function begin(at: number, quote: ScannedLine['quote']): number {
    open(at)
    line.quote = quote
    return at + 1
  }

  /** What the shell fills in: its text is not known here. */
  function expand(at: number): number {
    const next = text.charAt(at + 1)
    if (next === "'" && line.quote === 'none') return begin(at, 'ansi') + 1
    open(at).isLiteral = false
    if (next !== '(') return add(at, '$')
    push(')')
    return at + 2
  }

  function backquote(at: number): number {
    if (line.closer === '`') {
      close()
      pop()
    } else {
      open(at).isLiteral = false
      push('`')
    }
    return at + 1
  }

  /** In single quotes, of either kind. */
  function single(at: number): number {
    const char = text.charAt(at)
    if (char === "'") return begin(at, 'none')
    if (line.quote === 'single' || char !== '\\') return add(at, char)
    const escaped = text.charAt(at + 1)
    return add(at, controls[escaped] ?? escaped) + 1
  }

  function double(at: number): number {
    const char = text.charAt(at)
    if (char === '"') return begin(at, 'none')
    if (char === '$') return expand(at)
    if (char === '`') return backquote(at)
    if (char !== '\\') return add(at, char)
    const escaped = text.charAt(at + 1)
    return add(at, '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`) + 1
  }

  function comment(at: number): number {
    if (text.charAt(at) === '\n') line = fresh(line.closer)
    return at + 1
  }

  function operator(at: number): number {
    const char = text.charAt(at)
    close()
    if (char === '(') push(')')
    else if (char === ')' && line.closer === ')') pop()
    else if (char === '<' || char === '>') line.isRedirected = true
    else line.isProgram = true
    return at + 1
  }

  function letter(at: number): number {
    const char = text.charAt(at)
    const word = open(at)
    if (char === '~' && word.value === '') word.hasTilde = true
    if ('*?['.includes(char)) word.isLiteral = false
    return add(at, char)
  }

  function escape(at: number): number {
    const escaped = text.charAt(at + 1)
    return add(at, escaped === '\n' ? '' : escaped) + 1
  }

  function plain(at: number): number {
    const char = text.charAt(at)
    switch (char) {
      case ' ':
      case '\t':
        close()
        return at + 1
      case '$':
        return expand(at)
      case '`':
        return backquote(at)
      case '\\':
        return escape(at)
      case "'":
        return begin(at, 'single')
      case '"':
        return begin(at, 'double')
      case '#':
        if (line.word !== null) return letter(at)
        line.quote = 'comment'
        return at + 1
      default:
        return ';|&\n()<>'.includes(char) ? operator(at) : letter(at)
    }
  }

  const readers = { none: plain, single, ansi: single, double, comment }
  // An escape at the very end has nothing to escape.
  const step = (at: number) => Math.min(readers[line.quote](at), text.length)
  return { step, line: () => line }
}

function fresh(closer: ScannedLine['closer']): ScannedLine {
  return { isProgram: true, isRedirected: false, quote: 'none', word: null, closer }
}

function leadsToProgram(word: string): boolean {
  return prefixes.has(word) || assignment.test(word) || word.startsWith('-')
}
