import { type ReplyTag, replyTags } from '../../base/reply-tags.ts'
import type { TerminalAct } from '../../protocol/events/call.ts'

/** One request of a finished reply, in either dialect. `broken` is told to the model, not done. */
export type Asked =
  | { kind: 'command'; command: string; timeoutMs: number | null }
  | { kind: 'act'; act: TerminalAct }
  | { kind: 'skill'; name: string }
  | { kind: 'broken'; text: string; why: string }

export function broken(text: string, why: string): Asked {
  return { kind: 'broken', text, why }
}

/** The tool that does it, under the name it has in the tools dialect. */
export function toolOf(asked: Asked): string {
  if (asked.kind === 'skill') return 'activate_skill'
  if (asked.kind !== 'act') return 'terminal_execute'
  const { type } = asked.act
  return type === 'text' || type === 'keys' ? 'terminal_write' : `terminal_${type}`
}

/** The requests in the tags of a whole reply. Reads only: the text stays as the model wrote it. */
export function shellTags(text: string): readonly Asked[] {
  return replyTags(text).map(toAsked)
}

function toAsked({ name, seconds, keys, lines, inner, isClosed }: ReplyTag): Asked {
  if (keys !== undefined) return pressed(keys)
  if (name === 'interrupt') return { kind: 'act', act: { type: 'interrupt' } }
  if (name === 'screen') return look(lines)
  if (!isClosed) return broken(inner, `the <${name}> tag is never closed`)
  return name === 'shell'
    ? toCommand(inner, seconds)
    : { kind: 'act', act: { type: 'text', text: inner } }
}

function toCommand(inner: string, seconds: string | undefined): Asked {
  const command = inner.trim()
  if (command === '') return broken(inner, 'the command is empty')
  if (/<shell[ \t\r\n>]/.test(inner)) return broken(inner, 'a <shell> tag is inside another one')
  return { kind: 'command', command, timeoutMs: seconds ? Number(seconds) * 1_000 : null }
}

/** The lines of the terminal that a model is shown unless it asks for others, and the most it can ask for. */
export const shownLines = { usual: 50, most: 1_000 } as const

function look(lines: string | undefined): Asked {
  const wanted = lines === undefined ? shownLines.usual : Number(lines)
  const bounded = Math.min(Math.max(wanted, 1), shownLines.most)
  return { kind: 'act', act: { type: 'read', lines: bounded, ansi: false } }
}

function pressed(keys: string): Asked {
  const names = keys.split(/[ \t\r\n]+/).filter((name) => name !== '')
  if (names.length === 0) return broken(keys, 'no key is named')
  return { kind: 'act', act: { type: 'keys', names } }
}
