import { fences, type Skipped, visitProse } from './code-in-text.ts'
import { shownInReply } from './shown-in-reply.ts'

/** A tag of a reply, where it stands. The session says what it asks for. */
export interface ReplyTag {
  from: number
  to: number
  name: 'shell' | 'input' | 'interrupt' | 'screen'
  /** The attributes of `<shell timeout="…">`, `<input keys="…"/>` and `<screen lines="…"/>`. */
  seconds: string | undefined
  keys: string | undefined
  lines: string | undefined
  inner: string
  isClosed: boolean
}

const blanks = String.raw`[ \t\r\n]`
const screen = `<(screen)(?:${blanks}+lines="(\\d{1,6})")?${blanks}*/>`
const opening = openingWith(blanks, `${screen}|`)
const formerOpening = openingWith(String.raw`\s`, '')

function openingWith(blank: string, more: string): RegExp {
  const shell = `<(shell)(?:${blank}+timeout="(\\d{1,6})")?${blank}*>`
  const input = `<(input)(?:${blank}+keys="([^"<>]{1,200})"${blank}*/)?${blank}*>`
  return new RegExp(`${shell}|${input}|${more}<interrupt${blank}*/>`, 'y')
}

/**
 * The tags that a reply says, and not those that it shows: in code, quotes, comments or raw markup. A
 * reply that still grows can be asked about, too, and one who wants few of them need not wait for all.
 */
export function replyTags(text: string, most = Infinity): readonly ReplyTag[] {
  return tagsIn(text, { opening, skipped: shownInReply(text), most })
}

/** The tags that earlier versions took, also from quotes, comments and indented code. */
export function formerReplyTags(text: string, most = Infinity): readonly ReplyTag[] {
  return tagsIn(text, { opening: formerOpening, skipped: fences(text), most })
}

interface Reading {
  opening: RegExp
  skipped: Skipped
  most: number
}

function tagsIn(text: string, { opening: pattern, skipped, most }: Reading): readonly ReplyTag[] {
  const tags: ReplyTag[] = []
  visitProse(text, { sign: '<', skipped }, (at) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    const tag = match && tagAt(text, match)
    if (tag) tags.push(tag)
    if (tags.length >= most) return text.length
    return tag ? tag.to : at + 1
  })
  return tags
}

function tagAt(text: string, match: RegExpExecArray): ReplyTag {
  const [whole, shell, seconds, input, keys, look, lines] = match
  const from = match.index
  const start = from + whole.length
  const name = shell ? 'shell' : input ? 'input' : look ? 'screen' : 'interrupt'
  const tag = { from, name, seconds, keys, lines } as const
  if (name === 'interrupt' || name === 'screen' || keys !== undefined)
    return { ...tag, to: start, inner: '', isClosed: true }
  const closing = `</${name}>`
  const end = text.indexOf(closing, start)
  return end === -1
    ? { ...tag, to: text.length, inner: text.slice(start), isClosed: false }
    : { ...tag, to: end + closing.length, inner: text.slice(start, end), isClosed: true }
}
