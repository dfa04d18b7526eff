import { codeEnd } from './code-end.ts'

/** A stretch of a reply: prose to be read as Markdown, or something between tags. */
export type Segment =
  | { kind: 'prose'; source: string }
  | { kind: 'tag'; tag: 'shell' | 'input' | 'interrupt'; body: string; isOpen: boolean }

/** The tags that the session reads, with the attributes it knows; all others are prose. */
const opening =
  /<(shell)(?:\s+timeout="\d{1,6}")?\s*>|<(input)(?:\s+keys="([^"<>]{1,200})"\s*\/)?\s*>|<interrupt\s*\/>/y

/** Where code or a tag can begin: everything between these places is plain. */
const special = /[`<]|(?:^|\n)(?= {0,3}~~~)/g

/**
 * A reply with its tags set apart, to be drawn as what they do. This decides nothing: the session has
 * read the reply itself, and the stored text stays as it is. Code is left alone, as it is there.
 */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = []
  let proseFrom = 0
  let at = 0
  const prose = (to: number) => {
    const source = text.slice(proseFrom, to)
    if (source.trim() !== '') segments.push({ kind: 'prose', source })
  }
  while ((at = nextSpecial(text, at)) < text.length) {
    const found = text[at] === '<' ? tagAt(text, at) : null
    if (!found) {
      at = text[at] === '<' ? at + 1 : codeEnd(text, at)
      continue
    }
    prose(at)
    segments.push(found.segment)
    at = found.end
    proseFrom = at
  }
  prose(text.length)
  return segments
}

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from
  const match = special.exec(text)
  return match ? match.index + (match[0] === '\n' ? 1 : 0) : text.length
}

function tagAt(text: string, at: number): { segment: Segment; end: number } | null {
  opening.lastIndex = at
  const match = opening.exec(text)
  if (!match) return null
  const [, shell, input, keys] = match
  const start = opening.lastIndex
  const tag = shell ? 'shell' : input ? 'input' : 'interrupt'
  if (tag === 'interrupt' || keys !== undefined)
    return { segment: { kind: 'tag', tag, body: keys ?? '', isOpen: false }, end: start }
  const close = text.indexOf(`</${tag}>`, start)
  const isOpen = close < 0
  const body = text.slice(start, isOpen ? undefined : close).trim()
  const end = isOpen ? text.length : close + tag.length + 3
  return { segment: { kind: 'tag', tag, body, isOpen }, end }
}
