/** A word of a command line, its quotes taken off. */
export interface Word {
  text: string
  isQuoted: boolean
  /** The shell would make something else of it: a variable, a pattern, a command's output. */
  isDoubtful: boolean
}

/** More commands in one line, or deeper inside each other, are a script. */
const maxCommands = 50
const maxDepth = 20

/** What cannot be read with certainty ends the reading. */
class Unclear extends Error {}

/**
 * The simple commands of a line of shell, each as its words without redirections; those inside `$( )` and
 * parentheses too. Where it gets unclear the rest is left out, with the command it stands in.
 */
export function simpleCommands(line: string): readonly (readonly Word[])[] {
  const found: (readonly Word[])[] = []
  try {
    readList({ line, at: 0, depth: 0, found }, '')
  } catch (error) {
    if (!(error instanceof Unclear)) throw error
  }
  return found.slice(0, maxCommands)
}

interface Reader {
  readonly line: string
  at: number
  depth: number
  readonly found: (readonly Word[])[]
}

/** Reads up to the closing character, or to the end when that is none. */
function readList(reader: Reader, closing: '' | ')'): void {
  let words: Word[] = []
  const end = () => {
    if (words.length > 0) reader.found.push(words)
    words = []
  }
  reader.depth += 1
  if (reader.depth > maxDepth) throw new Unclear()
  while (!isAtEnd(reader, closing)) {
    if (isSeparator(reader)) end()
    else if (reader.line[reader.at] === '(') readGroup(reader, words)
    else if (!skipRedirection(reader)) words.push(readCommandWord(reader, words))
    if (reader.found.length > maxCommands) throw new Unclear()
  }
  end()
  reader.depth -= 1
}

function isAtEnd(reader: Reader, closing: '' | ')'): boolean {
  skipBlanks(reader)
  const char = reader.line[reader.at] ?? ''
  if (char !== '' && char !== ')') return false
  if (char !== closing) throw new Unclear()
  reader.at += 1
  return true
}

function isSeparator(reader: Reader): boolean {
  const sign = /[;|\n]|&(?!>)/y
  sign.lastIndex = reader.at
  if (!sign.test(reader.line)) return false
  reader.at += 1
  return true
}

/** A subshell stands where a command could; behind a word it is an array, a function or arithmetic. */
function readGroup(reader: Reader, words: readonly Word[]): void {
  if (words.length > 0 || reader.line[reader.at + 1] === '(') throw new Unclear()
  reader.at += 1
  readList(reader, ')')
}

function readCommandWord(reader: Reader, words: readonly Word[]): Word {
  const word = readWord(reader)
  const isFirst = words.length === 0
  // Patterns and tests have a grammar of their own.
  if (isFirst && !word.isQuoted && /^(?:case|\[\[)$/.test(word.text)) throw new Unclear()
  return word
}

function skipBlanks(reader: Reader): void {
  const gap = /(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y
  gap.lastIndex = reader.at
  reader.at += gap.exec(reader.line)?.[0].length ?? 0
}

/** The sign, and the word that it names. The lines of a here-document are no commands. */
function skipRedirection(reader: Reader): boolean {
  const sign = /(?:\d+|&)?(?:<<<|<<|<>|<|>>|>\||>)(?:&\d*-?)?/y
  sign.lastIndex = reader.at
  const [text = ''] = sign.exec(reader.line) ?? []
  if (text === '') return false
  if (/<<(?!<)/.test(text) && !text.includes('<<<')) throw new Unclear()
  reader.at += text.length
  if (/&[\d-]/.test(text)) return true
  if (reader.line[reader.at] === '(') {
    reader.at += 1
    readList(reader, ')')
    return true
  }
  skipBlanks(reader)
  readWord(reader)
  return true
}

const quotes = new Set(["'", '"'])
const expanding = new Set(['$', '`'])
const patterns = new Set(['*', '?', '{', '}', '~'])

function readWord(reader: Reader): Word {
  const word: Word = { text: '', isQuoted: false, isDoubtful: false }
  for (;;) {
    const char = reader.line[reader.at]
    if (char === undefined || /[ \t\r\n;&|()<>]/.test(char)) break
    reader.at += 1
    if (char === '\\') word.text += escaped(reader)
    else if (quotes.has(char)) readQuoted(reader, word, char)
    else if (expanding.has(char)) readExpansion(reader, word, char)
    else {
      word.isDoubtful ||= patterns.has(char) || (char === '[' && word.text !== '')
      word.text += char
    }
  }
  // A lone brace is a word of the shell's own.
  if (word.text === '{' || word.text === '}') word.isDoubtful = false
  return word
}

function escaped(reader: Reader): string {
  const char = reader.line[reader.at] ?? ''
  reader.at += 1
  return char === '\n' ? '' : char
}

function readQuoted(reader: Reader, word: Word, quote: string): void {
  word.isQuoted = true
  for (;;) {
    const char = reader.line[reader.at]
    if (char === undefined) throw new Unclear()
    reader.at += 1
    if (char === quote) return
    if (quote === '"' && char === '\\') word.text += escaped(reader)
    else if (quote === '"' && expanding.has(char)) readExpansion(reader, word, char)
    else word.text += char
  }
}

function readExpansion(reader: Reader, word: Word, char: string): void {
  word.isDoubtful = true
  const next = reader.line[reader.at]
  if (char === '`' || next === "'" || reader.line.startsWith('((', reader.at)) throw new Unclear()
  if (next === '(') {
    reader.at += 1
    readList(reader, ')')
  } else if (next === '{') {
    const inner = /\{[^{}'"`\\$()]*\}/y
    inner.lastIndex = reader.at
    const [text] = inner.exec(reader.line) ?? []
    if (text === undefined) throw new Unclear()
    reader.at += text.length
  }
}
