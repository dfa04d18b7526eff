import { type Captured, clip, whole } from './clip.ts'
import { limits } from '../protocol/limits.ts'
import { trimEndOf } from '../protocol/trim-end.ts'

/** A command longer than this says little more to a model that wrote it itself. */
export const commandChars = 600
const statusChars = 300

/**
 * The record of a command as the model reads it: `$ command`, output, one status line; at most
 * `limits.recordChars` in all. Rendered once, when the call is answered.
 */
export function commandRecord(command: string, output: Captured, status: string): string {
  return record(commandHeader(command), output, status)
}

/** The first line of such a record; several when the command has several. */
export function commandHeader(command: string): string {
  return `$ ${clip(whole(command), commandChars)}`
}

/** The same for input to a program, which begins with `> input`. */
export function inputRecord(input: string, output: Captured, status: string): string {
  return record(`> ${clip(whole(input), commandChars)}`, output, status)
}

/** Of a file that was not read: why. */
export function readRecord(path: string, said: Captured, status: string): string {
  return record(`@${oneLine(path, commandChars)}`, said, status)
}

/** What a person typed into the terminal, in one line: its output is theirs, and there to be looked at. */
export function typedRecord(command: string, status: string): string {
  const what =
    command === '' ? 'a command that is not in the history' : `$ ${oneLine(command, commandChars)}`
  return `[the user typed: ${what} → ${oneLine(status, statusChars)}]`
}

/** Line ends are shown as such, other control characters by their number. */
function oneLine(text: string, maxChars: number): string {
  const shown = text
    .replaceAll(/\r?\n/g, ' ⏎ ')
    .replaceAll(/[\0-\x1f\x7f-\x9f]/g, (control) => `\\x${hex(control.charCodeAt(0))}`)
  return clip(whole(shown), maxChars).replaceAll('\n', ' ')
}

const hex = (code: number) => code.toString(16).padStart(2, '0')

function record(header: string, output: Captured, status: string): string {
  const footer = `[${clip(whole(status), statusChars)}]`
  const text = clip(trimEnd(output), limits.recordChars - header.length - footer.length - 2)
  return text === '' ? `${header}\n${footer}` : `${header}\n${text}\n${footer}`
}

/** Line ends before the status line carry nothing. */
function trimEnd(output: Captured): Captured {
  if (output.tail !== '') return { ...output, tail: trimEndOf(output.tail, '\n') }
  return output.omittedChars === 0 ? { ...output, head: trimEndOf(output.head, '\n') } : output
}

export const nothing: Captured = whole('')
