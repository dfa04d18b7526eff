const blankLine = /\n[ \t]*\r?\n/g

/** The place behind a fenced block that opens at the line start `at`; null if none does. */
export function fenceEnd(text: string, at: number): number | null {
  if (at > 0 && text[at - 1] !== '\n') return null
  if (!/[ `~]/.test(text[at] ?? '')) return null
  const open = /^ {0,3}(`{3,}|~{3,})([^\n]*)(?:\n|$)/.exec(text.slice(at, at + 1_000))
  const mark = open?.[1]
  if (!open || mark === undefined) return null
  // An info string with a backtick makes it inline code, not a fence.
  if (mark[0] === '`' && open[2]?.includes('`')) return null
  const close = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}[ \\t\\r]*$`, 'gm')
  close.lastIndex = at + open[0].length
  const end = close.exec(text)
  return end ? close.lastIndex : text.length
}

/** Finds the place behind a code span; behind its backticks when nothing closes them. */
export function inlineCode(text: string): (at: number) => number {
  // A span ends with its paragraph at the latest. Asked in order, so each blank line is found once.
  let paragraphEnd = -1

  return (at) => {
    if (paragraphEnd < at) {
      blankLine.lastIndex = at
      paragraphEnd = blankLine.exec(text)?.index ?? text.length
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
