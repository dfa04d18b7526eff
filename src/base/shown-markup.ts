const thoughts = ['think', 'thinking', 'thought']

/** Elements whose text is shown and not said; in the first ones markup itself is only text. */
const markupIsText = ['script', 'style', 'textarea', 'xmp', 'iframe', 'noscript', 'title']
const literal = new Set([...markupIsText, ...thoughts])
const element =
  /<(pre|code|kbd|samp|blockquote|template|script|style|textarea|xmp|iframe|noscript|title|think|thinking|thought)(?=[ \t\r\n/>])/iy

/** Without an end these reach to the end of the text, if they begin a line. */
const endless = new Set(['pre', 'script', 'style', 'textarea', '<?', '<![CDATA[', ...thoughts])

const spans = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** Finds the place behind a comment or an element that opens at a `<`; null if none does there. */
export function shownMarkup(text: string): (at: number) => number | null {
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

const thoughtTag = /(?<!['"`])<(\/?)(?:think|thinking|thought)>(?!['"`])/gi

/**
 * The place behind a thought that a text begins with, of which only the end is marked: many servers write the tag that
 * begins it into the request. Zero: there is none. A tag between quotes or backticks is only spoken of.
 */
export function unopenedThoughtEnd(text: string): number {
  let isOpen = false
  let end = 0
  for (const { 0: tag, 1: slash, index } of text.matchAll(thoughtTag)) {
    if (slash !== '') {
      if (!isOpen) end = index + tag.length
      isOpen = false
    } else isOpen = true
  }
  return end
}
