import { limits } from '../protocol/limits.ts'
import type { Refusal, RefusalCode } from '../protocol/refusal.ts'

export function refuse(code: RefusalCode, message: string, detail?: Refusal['detail']): Refusal {
  return detail === undefined ? { code, message } : { code, message, detail }
}

/** A command no shell could take as it is. */
export function badCommand(command: string): Refusal | null {
  if (command.includes('\0'))
    return refuse('bad_command', 'A command cannot contain a NUL character.')
  if (/\p{Cs}/u.test(command))
    return refuse('bad_command', 'A command cannot contain half a character.')
  if (utf8Bytes(command) > limits.commandBytes)
    return refuse('too_large', `A command can have at most ${limits.commandBytes} bytes.`)
  return null
}

function utf8Bytes(text: string): number {
  let bytes = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
