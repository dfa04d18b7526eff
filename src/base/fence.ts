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
