import { type Captured, clip, whole } from './clip.ts'
import { limits } from '../protocol/limits.ts'

/** A command longer than this says little more to a model that wrote it itself. */
export const commandChars = 600
const statusChars = 300

/**
 * The record of a command as the model reads it: `$ command`, output, one status line; at most
 * `limits.recordChars` in all. Rendered once, when the call is answered.
 */
export function commandRecord(command: string, output: Captured, status: string): string {
  return record(`$ ${clip(whole(command), commandChars)}`, output, status)
}

/** The same for input to a program, which begins with `> input`. */
export function inputRecord(input: string, output: Captured, status: string): string {
  return record(`> ${clip(whole(input), commandChars)}`, output, status)
}

function record(header: string, output: Captured, status: string): string {
  const footer = `[${clip(whole(status), statusChars)}]`
  const text = clip(trimEnd(output), limits.recordChars - header.length - footer.length - 2)
  return text === '' ? `${header}\n${footer}` : `${header}\n${text}\n${footer}`
}

/** Line ends before the status line carry nothing. */
function trimEnd(output: Captured): Captured {
  if (output.tail !== '') return { ...output, tail: output.tail.replace(/\n+$/, '') }
  return output.omittedChars === 0 ? { ...output, head: output.head.replace(/\n+$/, '') } : output
}

export const nothing: Captured = whole('')
