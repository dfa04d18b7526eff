import { limits } from '../protocol/limits.ts'
import type { Refusal, RefusalCode } from '../protocol/refusal.ts'
import { utf8Bytes } from './utf8-bytes.ts'

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
