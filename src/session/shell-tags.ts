import { type Asked, broken } from './asked.ts'
import { fenceEnd, inlineCode } from './code-in-text.ts'

const opening =
  /<(shell)(?:\s+timeout="(\d{1,6})")?\s*>|<(input)(?:\s+keys="([^"<>]{1,200})"\s*\/)?\s*>|<interrupt\s*\/>/y

/**
 * Finds `<shell>` tags in a whole reply, outside code fences and inline code. Reads only: the text
 * stays as the model wrote it.
 */
export function shellTags(text: string): readonly Asked[] {
  const calls: Asked[] = []
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
      const tag = readTag(text, at)
      if (tag) calls.push(tag.call)
      at = tag ? tag.end : at + 1
    } else at = nextSpecial(text, at + 1)
  }
  return calls
}

/** Only these can begin a fence, inline code or a tag; everything between them is plain. */
function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '`' || char === '<' || text[at - 1] === '\n') return at
  }
  return text.length
}

function readTag(text: string, at: number): { call: Asked; end: number } | null {
  opening.lastIndex = at
  const match = opening.exec(text)
  if (match === null) return null
  const [, shell, seconds, input, keys] = match
  const start = opening.lastIndex
  if (keys !== undefined) return { call: pressed(keys), end: start }
  const name = shell ?? input
  if (name === undefined) return { call: { kind: 'act', act: { type: 'interrupt' } }, end: start }
  const closing = `</${name}>`
  const end = text.indexOf(closing, start)
  if (end === -1) {
    const rest = text.slice(start)
    return { call: broken(rest, `the <${name}> tag is never closed`), end: text.length }
  }
  const inner = text.slice(start, end)
  const typed: Asked = { kind: 'act', act: { type: 'text', text: inner } }
  const call = shell ? toCall(inner, seconds) : typed
  return { call, end: end + closing.length }
}

function toCall(inner: string, seconds: string | undefined): Asked {
  const command = inner.trim()
  if (command === '') return broken(inner, 'the command is empty')
  if (/<shell[\s>]/.test(inner)) return broken(inner, 'a <shell> tag is inside another one')
  return { kind: 'command', command, timeoutMs: seconds ? Number(seconds) * 1_000 : null }
}

function pressed(keys: string): Asked {
  const names = keys.split(/\s+/).filter((name) => name !== '')
  if (names.length === 0) return broken(keys, 'no key is named')
  return { kind: 'act', act: { type: 'keys', names } }
}
