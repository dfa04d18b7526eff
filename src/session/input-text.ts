import { ok, refused, type Result } from '../protocol/result.ts'
import type { TerminalInput } from '../protocol/terminal-act.ts'
import { utf8Bytes } from './utf8-bytes.ts'

/** What each named key sends in a terminal's ordinary mode. */
const keys: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  Escape: '\x1b',
  Space: ' ',
  Backspace: '\x7f',
  Delete: '\x1b[3~',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
  PageUp: '\x1b[5~',
  PageDown: '\x1b[6~',
}

/** A terminal that reads by the line keeps this much of one and drops the rest without a word. */
const maxLineBytes = 4_095

/** What a terminal would send for a model's input; the error says what is wrong with it. */
export function inputText(
  input: Exclude<TerminalInput, { type: 'interrupt' }>,
): Result<string, string> {
  if (input.type === 'text') return typedText(input.text)
  const unknown = input.names.find((name) => keyOf(name) === null)
  if (unknown !== undefined)
    return refused(
      `there is no key ${unknown}; there are ${Object.keys(keys).join(', ')}, Ctrl+A …`,
    )
  return ok(input.names.map((name) => keyOf(name) ?? '').join(''))
}

/** Text as somebody would type it, and Enter. */
function typedText(text: string): Result<string, string> {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text))
    return refused('it has control characters; name the keys instead')
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.some((line) => utf8Bytes(line) > maxLineBytes))
    return refused(`a line can have at most ${maxLineBytes} bytes`)
  return ok(`${lines.join('\r')}\r`)
}

function keyOf(name: string): string | null {
  const control = /^Ctrl\+([A-Z])$/.exec(name)?.[1]
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 64)
  return Object.hasOwn(keys, name) ? (keys[name] ?? null) : null
}
