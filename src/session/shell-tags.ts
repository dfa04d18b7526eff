import { replyTags, type ReplyTag } from '../protocol/reply-tags.ts'
import { type Asked, broken } from './asked.ts'

/** What the tags of a whole reply ask for. Reads only: the text stays as the model wrote it. */
export function shellTags(text: string): readonly Asked[] {
  return replyTags(text).map(toAsked)
}

function toAsked({ name, seconds, keys, inner, isClosed }: ReplyTag): Asked {
  if (keys !== undefined) return pressed(keys)
  if (name === 'interrupt') return { kind: 'act', act: { type: 'interrupt' } }
  if (!isClosed) return broken(inner, `the <${name}> tag is never closed`)
  return name === 'shell'
    ? toCommand(inner, seconds)
    : { kind: 'act', act: { type: 'text', text: inner } }
}

function toCommand(inner: string, seconds: string | undefined): Asked {
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
