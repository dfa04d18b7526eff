import { fenceEnd, inlineCode } from './code-in-text.ts'

/** A tag of a reply, where it stands. What it asks for is for the session to say. */
export interface ReplyTag {
  from: number
  to: number
  name: 'shell' | 'input' | 'interrupt'
  /** Of `<shell timeout="…">` and `<input keys="…"/>`. */
  seconds: string | undefined
  keys: string | undefined
  inner: string
  isClosed: boolean
}

const opening =
  /<(shell)(?:\s+timeout="(\d{1,6})")?\s*>|<(input)(?:\s+keys="([^"<>]{1,200})"\s*\/)?\s*>|<interrupt\s*\/>/y

/** The tags of a reply, outside code fences and inline code. A reply that still grows can be asked about, too. */
export function replyTags(text: string): readonly ReplyTag[] {
  const tags: ReplyTag[] = []
  const inlineCodeEnd = inlineCode(text)
  let at = 0
  while (at < text.length) {
    const fence = fenceEnd(text, at)
    if (fence !== null) {
      at = fence
      continue
    }
    const char = text[at]
    if (char === '`') at = inlineCodeEnd(at)
    else if (char === '<') {
      const tag = tagAt(text, at)
      if (tag) tags.push(tag)
      at = tag ? tag.to : at + 1
    } else at = nextSpecial(text, at + 1)
  }
  return tags
}

/** Only these can begin a fence, inline code or a tag; everything between them is plain. */
function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '`' || char === '<' || text[at - 1] === '\n') return at
  }
  return text.length
}

function tagAt(text: string, from: number): ReplyTag | null {
  opening.lastIndex = from
  const match = opening.exec(text)
  if (match === null) return null
  const [, shell, seconds, input, keys] = match
  const start = opening.lastIndex
  const name = shell ? 'shell' : input ? 'input' : 'interrupt'
  const tag = { from, name, seconds, keys } as const
  if (name === 'interrupt' || keys !== undefined)
    return { ...tag, to: start, inner: '', isClosed: true }
  const closing = `</${name}>`
  const end = text.indexOf(closing, start)
  return end === -1
    ? { ...tag, to: text.length, inner: text.slice(start), isClosed: false }
    : { ...tag, to: end + closing.length, inner: text.slice(start, end), isClosed: true }
}
