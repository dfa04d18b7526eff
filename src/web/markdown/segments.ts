/** A stretch of a reply: prose to be read as Markdown, or something between tags. */
export type Segment =
  | { kind: 'prose'; source: string }
  | { kind: 'tag'; tag: 'shell' | 'input' | 'interrupt'; body: string; isOpen: boolean }

/** Where a fence, inline code or a tag begins; everything between these is plain. */
const special =
  /(?<=^|\n)[ \t]*(`{3,}|~{3,})|(`+)|<(shell|input)(?:\s[^<>]*?)?(\/?)>|<(interrupt)\s*\/>/g

/**
 * A reply with its tags set apart, to be drawn as what they do. This decides nothing: the session has
 * read the reply itself, and the stored text stays as it is. Code is left alone, as it is there.
 */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = []
  let proseFrom = 0
  const prose = (to: number) => {
    const source = text.slice(proseFrom, to)
    if (source.trim() !== '') segments.push({ kind: 'prose', source })
  }
  special.lastIndex = 0
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const [whole, fence, ticks] = match
    const after = match.index + whole.length
    if (fence !== undefined) special.lastIndex = fenceEnd(text, fence, after)
    else if (ticks !== undefined) special.lastIndex = inlineEnd(text, ticks, after)
    else {
      prose(match.index)
      const { segment, end } = tagAt(text, match)
      segments.push(segment)
      proseFrom = end
      special.lastIndex = end
    }
  }
  prose(text.length)
  return segments
}

function tagAt(text: string, match: RegExpExecArray): { segment: Segment; end: number } {
  const [whole, , , name, isEmpty, interrupt] = match
  const after = match.index + whole.length
  if (interrupt)
    return { segment: { kind: 'tag', tag: 'interrupt', body: '', isOpen: false }, end: after }
  const tag = name === 'input' ? 'input' : 'shell'
  if (isEmpty) return { segment: { kind: 'tag', tag, body: whole, isOpen: false }, end: after }
  const close = text.indexOf(`</${tag}>`, after)
  const isOpen = close < 0
  const body = text.slice(after, isOpen ? undefined : close).trim()
  const end = isOpen ? text.length : close + tag.length + 3
  return { segment: { kind: 'tag', tag, body, isOpen }, end }
}

/** An open fence goes on to the end. */
function fenceEnd(text: string, fence: string, from: number): number {
  const close = new RegExp(`\\n[ \\t]*\\${fence[0] ?? ''}{${fence.length},}[ \\t]*(?=\\n|$)`, 'g')
  close.lastIndex = from
  return close.exec(text) ? close.lastIndex : text.length
}

function inlineEnd(text: string, ticks: string, from: number): number {
  const close = text.indexOf(ticks, from)
  return close < 0 ? from : close + ticks.length
}
