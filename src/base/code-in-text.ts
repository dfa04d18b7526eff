import { fenceEnd } from './fence.ts'

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
