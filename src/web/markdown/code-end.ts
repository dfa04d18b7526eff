/** The place behind the code that begins here, a fence or a span; behind its marks if none closes. */
export function codeEnd(text: string, at: number): number {
  return fenceEnd(text, at) ?? spanEnd(text, at)
}

/** A fence may be indented: the mark is looked for from the start of its line. An open one goes on to the end. */
function fenceEnd(text: string, at: number): number | null {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const open = /^ {0,3}(`{3,}|~{3,})([^\n]*)(?:\n|$)/.exec(text.slice(lineStart, lineStart + 1_000))
  const mark = open?.[1]
  if (!open || mark === undefined || lineStart + open[0].indexOf(mark) < at) return null
  if (mark.startsWith('`') && open[2]?.includes('`')) return null
  const close = new RegExp(`^ {0,3}\\${mark[0] ?? ''}{${mark.length},}[ \\t\\r]*$`, 'gm')
  close.lastIndex = lineStart + open[0].length
  return close.exec(text) ? close.lastIndex : text.length
}

/** A span ends with as many backticks as it began with, and with its paragraph at the latest. */
function spanEnd(text: string, at: number): number {
  const behind = (from: number) => from + (/^`*/.exec(text.slice(from))?.[0].length ?? 0)
  const run = behind(at)
  if (run === at) return at + 1
  const blank = /\n[ \t]*\r?\n/g
  blank.lastIndex = at
  const paragraphEnd = blank.exec(text)?.index ?? text.length
  for (let next = text.indexOf('`', run); next !== -1 && next < paragraphEnd;) {
    const end = behind(next)
    if (end - next === run - at) return end
    next = text.indexOf('`', end)
  }
  return run
}
