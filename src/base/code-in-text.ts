/** Stretches of a text that are not prose. Asked in order; each answers with the place behind one, or null. */
export interface Skipped {
  /** Asked at every line start. */
  line(at: number): number | null
  /** Asked at every `<`. */
  markup(at: number): number | null
}

interface Sought {
  sign: string
  /** Default: fences. */
  skipped?: Skipped
}

/**
 * Shows `visit` every place of a sign outside inline code and what is skipped; it answers where to go
 * on.
 */
export function visitProse(text: string, sought: Sought, visit: (at: number) => number): void {
  const { sign, skipped = fences(text) } = sought
  const inlineCodeEnd = inlineCode(text)
  for (let at = 0; at < text.length;) {
    const isLineStart = at === 0 || text[at - 1] === '\n'
    const behind =
      (isLineStart ? skipped.line(at) : null) ?? (text[at] === '<' ? skipped.markup(at) : null)
    if (behind !== null) at = behind
    else if (text[at] === '`') at = inlineCodeEnd(at)
    else if (text[at] === sign) at = visit(at)
    else at = nextSpecial(text, at + 1, sign)
  }
}

export function fences(text: string): Skipped {
  return { line: (at) => fenceEnd(text, at), markup: () => null }
}

/** The next character that can begin a fence, inline code or what is looked for. */
function nextSpecial(text: string, from: number, sign: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '`' || char === sign || char === '<' || text[at - 1] === '\n') return at
  }
  return text.length
}

/** A paragraph ends before a blank line, and before a quote, a fence, a heading or a list. */
const paragraphEnds = /\n(?=[ \t]*(?:\r?\n|>|```|~~~|(?:#{1,6}|[-+*]|\d{1,9}[.)])[ \t]))/g

/** Finds the place behind a code span; behind its backticks when nothing closes them. */
function inlineCode(text: string): (at: number) => number {
  // A span ends with its paragraph at the latest. Asked in order, so each end is found once.
  let paragraphEnd = -1

  return (at) => {
    if (paragraphEnd < at) {
      paragraphEnds.lastIndex = at
      paragraphEnd = paragraphEnds.exec(text)?.index ?? text.length
    }
    const run = runEnd(text, at)
    for (let next = text.indexOf('`', run); next !== -1 && next < paragraphEnd;) {
      const end = runEnd(text, next)
      if (end - next === run - at) return end
      next = text.indexOf('`', end)
    }
    return run
  }
}

function runEnd(text: string, at: number): number {
  let end = at
  while (text[end] === '`') end++
  return end
}

const columnsPerTab = 4

/** A line without its indentation, whose width is counted in columns; a blank one has no words. */
export interface Line {
  indent: number
  words: string
}

export function lineOf(raw: string, column = 0): Line {
  let at = 0
  let indent = column
  for (; raw[at] === ' ' || raw[at] === '\t'; at++)
    indent += raw[at] === ' ' ? 1 : columnsPerTab - (indent % columnsPerTab)
  const words = raw.slice(at)
  return { indent, words: words === '\r' ? '' : words }
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The signs that open a fence with these words; null if they open none. */
export function fenceMark(words: string): string | null {
  if (words[0] !== '`' && words[0] !== '~') return null
  const mark = /^(?:`{3,}|~{3,})/.exec(words)?.[0]
  // An info string with a backtick makes it inline code, not a fence.
  return mark === undefined || (mark[0] === '`' && words.includes('`', mark.length)) ? null : mark
}

export function closesFence(words: string, mark: string): boolean {
  const closing = words.trimEnd()
  return closing.length >= mark.length && closing === (mark[0] ?? '').repeat(closing.length)
}

/**
 * The place behind a fence whose lines begin at `from`; in a list it ends with its item, whose text
 * stands at the column `base`.
 */
export function fenceClose(text: string, from: number, { mark, base = 0 }: Fence): number {
  for (let at = from; at < text.length;) {
    const end = lineEnd(text, at)
    const { indent, words } = lineOf(text.slice(at, end))
    if (words !== '' && indent < base) return at
    if (indent - base < 4 && closesFence(words, mark)) return end
    at = end + 1
  }
  return text.length
}

interface Fence {
  mark: string
  base?: number
}

/** The place behind a fenced block that opens at the line start `at`; null if none does. */
export function fenceEnd(text: string, at: number): number | null {
  if (at > 0 && text[at - 1] !== '\n') return null
  if (!/[ `~]/.test(text[at] ?? '')) return null
  const end = lineEnd(text, at)
  const { indent, words } = lineOf(text.slice(at, end))
  const mark = indent < 4 ? fenceMark(words) : null
  return mark === null ? null : fenceClose(text, end + 1, { mark })
}
