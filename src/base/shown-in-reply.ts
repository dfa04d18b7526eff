import {
  type Skipped,
  closesFence,
  fenceClose,
  fenceMark,
  lineEnd,
  lineOf,
  type Line,
} from './code-in-text.ts'

const heading = /^#{1,6}(?:[ \t]|\r?$)/
const rule = /^([-*_])(?:[ \t]*\1){2,}[ \t\r]*$/
const listMarker = /^([-+*]|(\d{1,9})[.)])(?=[ \t]|\r?$)/

/** More lists in lists are not prose that anybody reads. */
const mostLists = 20

/**
 * The stretches of a reply that show something instead of saying it: fences, block quotes, indented
 * code, comments and raw markup, as CommonMark reads them.
 */
export function shownInReply(text: string): Skipped {
  /** The columns where the texts of the open list items stand, outermost first. */
  let items: number[] = []
  /** The line before is prose that this one may go on with, however it is indented. */
  let isParagraph = false

  const baseOf = () => items.at(-1) ?? 0
  const prose = (isOpen: boolean): null => {
    isParagraph = isOpen
    return null
  }
  const shown = (end: number): number => {
    isParagraph = false
    return end
  }

  function line(at: number): number | null {
    const end = lineEnd(text, at)
    const found = lineOf(text.slice(at, end))
    if (found.words === '') return prose(false)
    const kept = items.findIndex((column) => column > found.indent)
    const within = kept === -1 ? items : items.slice(0, kept)
    const isDeep = found.indent - (within.at(-1) ?? 0) >= 4
    if (isParagraph && (isDeep || !opensBlock(found.words))) return null
    items = within
    return isDeep ? shown(end + 1) : block(found, end)
  }

  /** The rest of a line, behind the list markers that it begins with. */
  function block({ indent, words }: Line, end: number): number | null {
    if (words === '' || heading.test(words) || rule.test(words)) return prose(false)
    if (words.startsWith('>')) return shown(quoteEnd(text, { words, end }))
    const mark = fenceMark(words)
    if (mark !== null) return shown(fenceClose(text, end + 1, { mark, base: baseOf() }))
    const marker = listMarker.exec(words)?.[0]
    if (marker === undefined) return prose(true)
    const behind = indent + marker.length
    return item(lineOf(words.slice(marker.length), behind), end, behind)
  }

  /** The text of a list item begins at most four columns behind its marker; further on it is code. */
  function item({ indent, words }: Line, end: number, behind: number): number | null {
    if (items.length >= mostLists) return shown(end + 1)
    isParagraph = false
    const isCode = words !== '' && indent - behind > 4
    items = [...items, isCode || words === '' ? behind + 1 : indent]
    return isCode ? shown(end + 1) : block({ indent, words }, end)
  }

  return { line, markup: shownMarkup(text) }
}

/** Whether words at a line's start begin something else, where a paragraph could go on. */
function opensBlock(words: string): boolean {
  const [marker, , number = '1'] = listMarker.exec(words) ?? []
  const isItem = marker !== undefined && number === '1' && words.trim() !== marker
  const opens = words.startsWith('>') || heading.test(words) || rule.test(words)
  return isItem || opens || fenceMark(words) !== null
}

interface Quote {
  words: string
  end: number
}

/** The place behind a quote: a paragraph in it goes on in lines that have no sign of their own. */
function quoteEnd(text: string, { words, end }: Quote): number {
  const inside = quoted()
  inside(words)
  for (let at = end + 1; at < text.length;) {
    const to = lineEnd(text, at)
    const line = lineOf(text.slice(at, to))
    if (!inside(line.words)) return at
    at = to + 1
  }
  return text.length
}

/** Takes the lines of a quote one by one; false for the first that is not in it. */
function quoted(): (words: string) => boolean {
  let isParagraph = false
  let fence: string | null = null

  return (words) => {
    if (!words.startsWith('>')) return isParagraph && words !== '' && !opensBlock(words)
    const { indent, words: said } = lineOf(words.replace(/^(?:>[ \t]?)+/, ''))
    const mark = fenceMark(said)
    if (fence !== null) {
      if (closesFence(said, fence)) fence = null
      isParagraph = false
    } else if (mark !== null) {
      fence = mark
      isParagraph = false
    } else {
      const isCode = indent >= 4 && !isParagraph
      isParagraph = said !== '' && !heading.test(said) && !rule.test(said) && !isCode
    }
    return true
  }
}

/** Elements whose text is shown and not said; in the first ones markup itself is only text. */
const literal = new Set(['script', 'style', 'textarea', 'xmp', 'iframe', 'noscript', 'title'])
const element =
  /<(pre|code|kbd|samp|blockquote|template|script|style|textarea|xmp|iframe|noscript|title)(?=[ \t\r\n/>])/iy

/** Without an end these reach to the end of the text, if they begin a line. */
const endless = new Set(['pre', 'script', 'style', 'textarea', '<?', '<![CDATA['])

const spans = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** Finds the place behind a comment or an element that opens at a `<`; null if none does there. */
function shownMarkup(text: string): (at: number) => number | null {
  /** Names that nothing closes any more: looked for once. */
  const unclosed = new Set<string>()

  function spanEnd(at: number): number | null {
    const span = spans.find(([open]) => text.startsWith(open, at))
    if (!span) return null
    const [open, close] = span
    // `<!-->` is a comment, too.
    const end = unclosed.has(open) ? -1 : text.indexOf(close, at + 2)
    if (end !== -1) return end + close.length
    unclosed.add(open)
    return open === '<!--' ? text.length : endOfAll(open, at)
  }

  function elementEnd(at: number): number | null {
    element.lastIndex = at
    const name = element.exec(text)?.[1]?.toLowerCase()
    if (name === undefined) return null
    const end = unclosed.has(name) ? null : closingEnd(name, element.lastIndex)
    if (end !== null) return end
    unclosed.add(name)
    return endOfAll(name, at)
  }

  /** The outermost of elements in each other counts; if one is never closed, the last that is. */
  function closingEnd(name: string, from: number): number | null {
    const edge = new RegExp(`<(/?)${name}(?=[ \\t\\r\\n/>])`, 'gi')
    edge.lastIndex = from
    let depth = 1
    let last = -1
    for (let found = edge.exec(text); found; found = edge.exec(text)) {
      const isClosing = found[1] === '/'
      if (isClosing) last = edge.lastIndex
      if (isClosing || !literal.has(name)) depth += isClosing ? -1 : 1
      if (depth === 0) break
    }
    if (last === -1) return null
    const end = text.indexOf('>', last)
    return end === -1 ? text.length : end + 1
  }

  const endOfAll = (name: string, at: number): number | null =>
    endless.has(name) && isFirstInLine(text, at) ? text.length : null

  return (at) => {
    const end = spanEnd(at) ?? elementEnd(at)
    return end === null ? null : behindQuote(text, at, end)
  }
}

function isFirstInLine(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  return before < 0 || text[before] === '\n'
}

/** Markup that ends in the middle of a quoted line leaves the rest of that line a quote. */
function behindQuote(text: string, at: number, end: number): number {
  const newline = text.slice(at, end).lastIndexOf('\n')
  if (newline === -1 || !/^\n[ \t]*>/.test(text.slice(at + newline, end))) return end
  const next = text.indexOf('\n', end)
  return next === -1 ? text.length : next
}
